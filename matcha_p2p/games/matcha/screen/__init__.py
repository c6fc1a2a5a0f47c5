"""The table on a full screen: a scene, the effects of keys on the scene, and its drawing."""
