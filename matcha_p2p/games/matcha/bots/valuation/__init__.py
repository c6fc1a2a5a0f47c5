"""The worth of tokens and cards to a player, without looking ahead."""
