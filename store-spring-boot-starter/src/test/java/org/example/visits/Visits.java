package org.example.visits;

/** How often a user has come. */
public record Visits(int number) {}
