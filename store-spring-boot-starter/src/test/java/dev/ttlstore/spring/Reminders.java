package dev.ttlstore.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

// The example of the page about expiry, as it stands there.
@Component
class Reminders {

    private static final Logger log = LoggerFactory.getLogger(Reminders.class);

    @OnExpiry(subscriber = "invitation-reminder", group = "invites")
    void remind(ExpiredEntry<Invite> invite) {
        log.info("{} has let an invitation expire", invite.value().mail());
    }

    record Invite(String mail) {}
}
