"""A package, so that its tests share one server (fixtures of package scope)."""
