package dev.ttlstore.sample;

import java.time.Instant;
import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** The time by the clock that the store goes by, too: the application's own where it has one, as tests do. */
@Component
class Now {

    private final InstantSource clock;

    Now(ObjectProvider<InstantSource> clock) {
        this.clock = clock.getIfUnique(InstantSource::system);
    }

    Instant get() {
        return clock.instant();
    }
}
