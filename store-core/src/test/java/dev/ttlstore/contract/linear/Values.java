package dev.ttlstore.contract.linear;

/**
 * What an operation may need beside its key; each takes what it needs.
 *
 * @param value a whole number as text, that no other call puts
 * @param expected a value that some call of the history may have put
 */
public record Values(String value, String expected) {}
