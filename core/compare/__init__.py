"""Runs under the same targets: whether they may be compared, which leads, and how sure that is."""
