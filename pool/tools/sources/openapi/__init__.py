"""Operations of OpenAPI 3.0 and 3.1 documents as tools, called over HTTP.

The HTTP library is an extra: only `open_openapi` needs it, when it is called.
"""

from pool.tools.sources.openapi.config import ApiConfig, Basic, read_config
from pool.tools.sources.openapi.operations import Skipped
from pool.tools.sources.openapi.source import OpenApis, open_openapi

__all__ = ["ApiConfig", "Basic", "OpenApis", "Skipped", "open_openapi", "read_config"]
