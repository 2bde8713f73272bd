"""What methods of regression share."""
