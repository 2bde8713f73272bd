"""The panels that show several lanes side by side."""
