"""What methods that let several learners vote have in common."""
