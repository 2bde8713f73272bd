"""Growing a decision tree: the examples at its nodes, the scores of their tests, the branches, the
tree as arrays.
"""
