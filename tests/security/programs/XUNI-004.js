// XUNI-004: smart quotes around a call
return tools.echo(“ESCAPED”);