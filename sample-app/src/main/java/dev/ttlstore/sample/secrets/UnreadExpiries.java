package dev.ttlstore.sample.secrets;

import org.springframework.stereotype.Service;

import dev.ttlstore.Store;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

/** Informs a team about secrets that expired before they were used up. */
@Service
class UnreadExpiries {

    private static final String SECRETS = ":" + Secrets.GROUP;

    private final Store store;
    private final Passphrases passphrases;
    private final Notices notices;

    UnreadExpiries(Store store, Passphrases passphrases, Notices notices) {
        this.store = store;
        this.passphrases = passphrases;
        this.notices = notices;
    }

    /**
     * Adds an expiry to the team's activity. It is called at least once for each. Teams come and go, so it handles
     * all groups. It takes no values, so it also handles secrets that cannot be decrypted.
     */
    @OnExpiry(subscriber = "activity", prefix = "")
    void expired(ExpiredEntry<Void> entry) {
        if (entry.group().endsWith(SECRETS)) {
            String team = entry.group().substring(0, entry.group().length() - SECRETS.length());
            passphrases.forget(store, entry.key());
            notices.expired(team, entry);
        }
    }
}
