"""Pinetum's own side of every question, by its public names."""

from pinetum.peers.adapters.common import Wrapped


class Tree(Wrapped):
    """`TreeClassifier`, from an array as scikit-learn takes it."""

    def make(self, **options):
        from pinetum import TreeClassifier

        return TreeClassifier(**options)

    def facts(self):
        tree = self.model.tree_
        return {"leaves": tree.sizes.leaves, "depth": tree.depth, "features": len(tree.used_features)}


class DepthBounded(Wrapped):
    """`NBDTClassifier`; n0 = 0 is the fewest training errors of a depth."""

    def make(self, **options):
        from pinetum import NBDTClassifier

        return NBDTClassifier(**options)

    def facts(self):
        tree = self.model.tree_
        return {"leaves": tree.sizes.leaves, "depth": tree.depth, "proved": self.model.status_ == "optimal"}


class Minimal(Wrapped):
    """`MinimalTree`: the tree of least cost that answers every case rightly."""

    def make(self, **options):
        from pinetum import MinimalTree

        return MinimalTree(**options)

    def facts(self):
        return {
            "leaves": self.model.tree_.sizes.leaves,
            "depth": self.model.tree_.depth,
            "proved": self.model.status_ == "optimal",
        }


class Separator(Wrapped):
    """`SeparatorClassifier`: linear decisions with few features."""

    def make(self, **options):
        from pinetum import SeparatorClassifier

        return SeparatorClassifier(**options)

    def facts(self):
        return {"features": len(self.model.features_)}


class Path(Wrapped):
    """`BackwardElimination` down to one column, on folds of its own drawing."""

    def make(self, **options):
        from pinetum import BackwardElimination

        return BackwardElimination(**options)

    def facts(self):
        path = self.model.path_
        return {"features": int(self.model.support_.sum()), "rounds": len(path), "search": float(path["errors"].min())}
