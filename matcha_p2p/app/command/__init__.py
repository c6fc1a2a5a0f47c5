"""How a command runs: output, exit code, signals, streams and front end."""
