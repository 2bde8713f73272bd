"""The tables that come with the lab: of textbooks, of real data, generated."""
