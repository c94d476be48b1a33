"""What we are told, brought to the stores."""
