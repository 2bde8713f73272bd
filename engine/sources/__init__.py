"""The tables that come with the lab: from textbooks, real data, and generators."""
