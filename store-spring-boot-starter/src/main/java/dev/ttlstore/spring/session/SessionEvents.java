package dev.ttlstore.spring.session;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.Session;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;

import dev.ttlstore.engine.support.Thrown;

/** Publishes what happens to sessions, after it has happened. Thread-safe. */
final class SessionEvents {

    private static final Logger log = LoggerFactory.getLogger(SessionEvents.class);

    /** The repository, as the source of the events. */
    private final Object source;

    private final ApplicationEventPublisher publisher;

    SessionEvents(Object source, ApplicationEventPublisher publisher) {
        this.source = source;
        this.publisher = publisher;
    }

    void created(Session session) {
        publish(new SessionCreatedEvent(source, session));
    }

    void deleted(Session session) {
        publish(new SessionDeletedEvent(source, session));
    }

    /** Publishes an event that is published again if a listener throws. */
    void expired(Session session) {
        publisher.publishEvent(new SessionExpiredEvent(source, session));
    }

    /** Publishes an event. What a listener throws does not undo what has happened, so the request goes on. */
    private void publish(AbstractSessionEvent event) {
        try {
            publisher.publishEvent(event);
        } catch (RuntimeException e) {
            log.error("A listener for {} has failed", event.getClass().getSimpleName(), Thrown.withoutMessages(e));
        }
    }
}
