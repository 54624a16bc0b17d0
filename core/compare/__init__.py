"""Runs beside each other: whether they may be compared, who leads, and how sure that is."""
