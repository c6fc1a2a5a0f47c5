"""What a person sees and types: full screen where there is one, else line by line."""
