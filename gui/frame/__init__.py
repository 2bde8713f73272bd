"""What frames the stage: docks, tool strip, message line, rail, the header of the projector."""
