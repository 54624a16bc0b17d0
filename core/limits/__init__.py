"""Limits from first principles: what memory holds, and what bandwidth and compute cannot undercut."""
