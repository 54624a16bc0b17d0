"""Capacity and prices to money."""
