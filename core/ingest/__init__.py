"""Bytes to raw levels: pure functions of the file, in the file's own units."""
