package dev.ttlstore.sample;

/**
 * Who has sent a secret: whoever has the cookie of its browser.
 *
 * @param id a hash of the cookie, so that who reads the store cannot act in the name of a sender
 */
record Sender(String id) {}
