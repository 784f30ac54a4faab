"""Shells: models with exactly the variables that a profile asks for, around any model of the user."""
