"""Pages and drawings for browsers: scenes as SVG, words as HTML, formulas as MathML.

No screen, nothing from outside.
"""
