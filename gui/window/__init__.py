"""What the window as a whole does."""
