"""What tokens and cards are worth to a player, before any looking ahead."""
