package dev.ttlstore.sample.web;

import java.time.Instant;
import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** The current time by the store's clock: the application's own, if it has one, as in tests. */
@Component
public class Now {

    private final InstantSource clock;

    Now(ObjectProvider<InstantSource> clock) {
        this.clock = clock.getIfUnique(InstantSource::system);
    }

    public Instant get() {
        return clock.instant();
    }
}
