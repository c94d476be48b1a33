"""What lies between two sentences: sessions, our own questions and replies, and what an answer to them means."""
