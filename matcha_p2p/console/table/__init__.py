"""What the full screens of all games share: talk, pages, leaving, and past events in time."""
