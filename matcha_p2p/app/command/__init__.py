"""How a command runs: its output, its exit code, its signals and streams, its front end."""
