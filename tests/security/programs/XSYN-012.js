// XSYN-012: arguments of the tool where the program belongs
{"code": "return 'ESCAPED'", "options": {"timeout_ms": 1}}