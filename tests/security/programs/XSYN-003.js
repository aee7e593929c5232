// XSYN-003: as many closing brackets as any wrapper could have opened
}}}})))); text("ESCAPED"); ((((async () => {{{{