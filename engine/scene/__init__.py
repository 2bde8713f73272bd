"""The vocabulary of pictures, and parts of pictures that several families use."""
