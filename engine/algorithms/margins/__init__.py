"""Separators with the widest margin, and kernels."""
