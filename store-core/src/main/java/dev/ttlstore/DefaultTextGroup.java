package dev.ttlstore;

/** A group of texts. */
final class DefaultTextGroup extends DefaultGroup<String> implements TextGroup {

    DefaultTextGroup(String name, DefaultStore store) {
        super(name, Codec.text(), store);
    }
}
