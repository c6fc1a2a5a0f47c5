"""A game by an invite: the host makes the invite, the guest follows it, also past routers."""
