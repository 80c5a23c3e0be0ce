package dev.ttlstore.sample;

import org.springframework.stereotype.Service;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.expiry.OnExpiry;

/** Tells a team of its secrets that have expired, and that nobody has read. */
@Service
class UnreadExpiries {

    private static final String SECRETS = ":" + Secrets.GROUP;

    private final Activity activity;
    private final QuotaAlarm alarm;

    UnreadExpiries(Activity activity, QuotaAlarm alarm) {
        this.activity = activity;
        this.alarm = alarm;
    }

    /**
     * This is called at least once for each. Teams come and go, so it is for all groups of all of them, and does without
     * their values: one that no longer opens has expired like any other.
     */
    @OnExpiry(subscriber = "activity", prefix = "")
    void expired(ExpiredEntry<Void> entry) {
        if (entry.group().endsWith(SECRETS)) {
            String team = entry.group().substring(0, entry.group().length() - SECRETS.length());
            activity.noteExpired(team, entry.expiresAt(), entry.version());
            alarm.less(team);
        }
    }
}
