"""Migrations of the store, run from code by `core.store.migrate`."""
