package dev.ttlstore.sample.operator;

import java.nio.file.Path;

import dev.ttlstore.spring.encryption.StoreKeyset;

/** Creates the encryption keys that several nodes share, each by a copy. A single node creates its own. */
public final class CreateKeyset {

    private CreateKeyset() {}

    /**
     * Creates the keys, unless the file exists.
     *
     * @param arguments the path of the file
     */
    public static void main(String[] arguments) {
        if (arguments.length != 1) {
            throw new IllegalArgumentException("Name the file for the keys, and nothing else");
        }
        boolean created = StoreKeyset.create(Path.of(arguments[0]));
        System.out.println(arguments[0] + (created ? " has been created" : " exists, and was not changed"));
    }
}
