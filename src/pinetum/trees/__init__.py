"""Decision trees as flat arrays: prediction, sizes, text, drawings, JSON."""

from pinetum.trees.tree import Sizes, Tree

__all__ = ["Sizes", "Tree"]
