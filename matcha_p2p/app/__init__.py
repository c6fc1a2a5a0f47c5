"""What the commands do, for whoever starts them: a person at a prompt, or a program."""
