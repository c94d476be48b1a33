"""SmartThings: its payloads and its command specification."""
