"""Saved scenarios and share links: the only package that knows SQLAlchemy."""
