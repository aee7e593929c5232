"""Which tools does a query mean? Ranks by words; what may be found at all is decided elsewhere."""

from pool.tools.ranking.document import Document
from pool.tools.ranking.index import Found, Index, Match
from pool.tools.ranking.words import words

__all__ = ["Document", "Found", "Index", "Match", "words"]
