"""The commands of the program that open no window: one module for each, and what they share.

They are in `gui` because some of them draw; none imports Qt before it has to.
"""
