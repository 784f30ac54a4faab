"""A robot as one record: its structure and all its values, and the generic robots that take them."""
