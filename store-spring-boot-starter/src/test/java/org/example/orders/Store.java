package org.example.orders;

/** A shop. */
record Store(String city) {}
