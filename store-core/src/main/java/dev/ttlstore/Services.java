package dev.ttlstore;

import java.util.ServiceLoader;

import dev.ttlstore.exception.StoreEngineException;

/** Finds what ships with the API and implements it, whatever the class loader of the calling thread sees. */
final class Services {

    private Services() {}

    static <S> S find(Class<S> service) {
        return ServiceLoader.load(service, Services.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new StoreEngineException(
                        "No " + service.getSimpleName() + " was found",
                        "If the application is one repackaged jar, keep META-INF/services/" + service.getName()
                                + " in it",
                        null));
    }
}
