package dev.ttlstore.spring.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.events.AbstractSessionEvent;

import dev.ttlstore.engine.support.Thrown;

/** Publishes what happens to sessions, after it has happened. */
final class SessionEvents {

    private static final Logger log = LoggerFactory.getLogger(SessionEvents.class);

    private final ApplicationEventPublisher publisher;

    SessionEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    /** Publishes an event. What a listener throws does not undo what has happened, so the request goes on. */
    void publish(AbstractSessionEvent event) {
        try {
            publisher.publishEvent(event);
        } catch (RuntimeException e) {
            log.error("A listener for {} has failed", event.getClass().getSimpleName(), Thrown.withoutMessages(e));
        }
    }

    /** Publishes an event that is published again if a listener throws. */
    void publishReliably(AbstractSessionEvent event) {
        publisher.publishEvent(event);
    }
}
