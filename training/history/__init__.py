"""Fits what each reason for an earlier message counts for."""
