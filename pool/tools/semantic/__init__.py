"""Tool search by meaning, beside words: the extra `[semantic]`.

The model is a Python package of its own and runs on the CPU, without network. Lexical search never
needs any of this.
"""

from pool.tools.semantic.embedder import Embedder, nano_e5
from pool.tools.semantic.index import SemanticIndex
from pool.tools.semantic.vectors import VectorCache

__all__ = ["Embedder", "SemanticIndex", "VectorCache", "nano_e5"]
