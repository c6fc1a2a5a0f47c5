"""What the commands do, whether a person or a program starts them."""
