"""Themes, fonts, icons, and what they make of Qt."""
