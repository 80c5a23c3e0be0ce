package dev.ttlstore.spring.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

/** The properties of an application that sets none. */
final class Defaults {

    private Defaults() {}

    static StoreProperties ofProperties() {
        return Binder.get(new MockEnvironment()).bindOrCreate("store", StoreProperties.class);
    }
}
