package dev.ttlstore.sample;

/**
 * The sender of a secret, identified by a cookie.
 *
 * @param id a hash of the cookie, so that a reader of the store cannot act as a sender
 */
record Sender(String id) {}
