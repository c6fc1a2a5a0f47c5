"""What a person sees and types: full screen if the terminal has a screen, else line by line."""
