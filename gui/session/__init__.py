"""What is shown and when; the only objects with signals."""
