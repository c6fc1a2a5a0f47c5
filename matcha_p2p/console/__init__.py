"""What a person sees and types; so far a line at a time."""
