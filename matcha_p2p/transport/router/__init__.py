"""Finds routers, and asks them by PCP, NAT-PMP or UPnP to open a port."""
