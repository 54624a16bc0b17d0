"""Findings about the data: never an exception."""
