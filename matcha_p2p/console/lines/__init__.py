"""Line mode: append-only, one fact a line."""
