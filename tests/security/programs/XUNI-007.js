// XUNI-007: a source that is not UTF-8
return "ÿþ ESCAPED";