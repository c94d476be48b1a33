"""A person's earlier messages: which of them matter for a question, and which are out of date."""
