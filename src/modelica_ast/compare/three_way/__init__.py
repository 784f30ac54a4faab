"""Three versions of a file become one: ours, with what theirs changed; what both changed differently is a conflict."""
