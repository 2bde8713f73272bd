"""What is said of a model: errors, confusion, differences, the nearest other label, questions."""
