"""A game by an invite: who hosts makes it, who joins follows it, whatever routers do."""
