"""What a hand of Tichu is worth, and how a round goes on; C and Python answer alike."""
