"""Themes, fonts, icons and the style sheet."""
