"""Runs: steps as they are recorded, forgotten and made again."""
