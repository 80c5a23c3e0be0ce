package dev.ttlstore.spring.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.context.event.EventListener;

import dev.ttlstore.event.EntryExpired;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

/** Remembers which keys it was told of, as a listener and as a subscriber. */
class ToldExpiries {

    final List<String> listened = new CopyOnWriteArrayList<>();
    final List<String> subscribed = new CopyOnWriteArrayList<>();

    @EventListener
    void onExpired(EntryExpired event) {
        listened.add(event.key());
    }

    @OnExpiry(subscriber = "reminder", group = "invites")
    void remind(ExpiredEntry<String> invite) {
        if (invite.attempt() == 1 && invite.value().startsWith("busy")) {
            throw new IllegalStateException("on purpose");
        }
        subscribed.add(invite.key());
    }
}
