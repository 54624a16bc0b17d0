"""Stages to curves with bands."""
