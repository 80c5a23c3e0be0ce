package dev.ttlstore;

/** A group of texts, kept as UTF-8. */
public interface TextGroup extends Group<String> {}
