"""The table drawn: a scene, a size and a skin in, a frame of cells out."""
