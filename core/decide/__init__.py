"""Curves and targets to capacity, binding target and next measurement."""
