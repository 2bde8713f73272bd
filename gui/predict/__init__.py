"""Say what comes next before it is shown."""
