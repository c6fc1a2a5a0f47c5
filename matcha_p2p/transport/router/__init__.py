"""Routers: found, and asked by PCP, NAT-PMP or UPnP to let connections in to one port."""
