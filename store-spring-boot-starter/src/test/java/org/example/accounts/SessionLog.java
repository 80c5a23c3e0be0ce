package org.example.accounts;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.EventListener;
import org.springframework.session.events.AbstractSessionEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.springframework.stereotype.Component;

import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;

/** Notes what happens to sessions. */
@Component
public class SessionLog implements HttpSessionListener {

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Instant> expiries = new CopyOnWriteArrayList<>();

    @EventListener
    void on(AbstractSessionEvent event) {
        events.add(event.getClass().getSimpleName() + " " + event.getSession().getAttribute("cart"));
    }

    @EventListener
    void onExpired(SessionExpiredEvent event) {
        Instant expiredAt =
                event.getSession().getLastAccessedTime().plus(event.getSession().getMaxInactiveInterval());
        expiries.add(expiredAt);
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        events.add("created");
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        events.add("destroyed " + event.getSession().getAttribute("cart"));
    }

    public List<String> events() {
        return events;
    }

    /** Returns when sessions have expired. */
    public List<Instant> expiries() {
        return expiries;
    }
}
