package org.example.accounts;

import java.util.List;

/** What a user has chosen. */
public record Cart(List<String> items) {}
