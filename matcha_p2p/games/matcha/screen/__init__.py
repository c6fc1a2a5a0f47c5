"""The table full screen: a scene, what keys do to it, and how it is drawn."""
