"""The parts of the window around the stage: docks, tool strip, messages, rails, projector parts."""
