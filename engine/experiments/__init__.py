"""Experiments about algorithms, with the same protocol. The registry walks this folder."""
