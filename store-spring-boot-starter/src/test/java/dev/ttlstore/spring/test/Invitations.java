package dev.ttlstore.spring.test;

import java.time.Duration;
import java.util.Optional;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

/** Keeps the mail addresses of those who were invited, for ten days; and one from the start. */
final class Invitations {

    private final TextGroup invites;

    Invitations(Store store) {
        this.invites = store.group("invites");
        invites.put("first", "founder@example.org");
    }

    String invite(String mail) {
        return invites.add(mail, Duration.ofDays(10));
    }

    Optional<String> find(String key) {
        return invites.get(key);
    }
}
