"""What any text needs, whatever it says: the one encoder, the count of its tokens, tables kept as YAML."""
