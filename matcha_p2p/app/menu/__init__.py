"""The program without a command: what is asked, and what comes of it."""
