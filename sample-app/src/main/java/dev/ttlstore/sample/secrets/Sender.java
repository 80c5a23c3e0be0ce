package dev.ttlstore.sample.secrets;

/**
 * The sender of a secret, identified by a cookie.
 *
 * @param id a hash of the cookie, so that a reader of the store cannot act as a sender
 */
public record Sender(String id) {}
