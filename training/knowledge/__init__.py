"""What is fitted for documents and facts."""
