"""What is kept on disk."""

SUFFIX = ".learnscope"  # of a project
