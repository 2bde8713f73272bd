"""The main window: its layout, commands, keys, exports and remembered files."""
