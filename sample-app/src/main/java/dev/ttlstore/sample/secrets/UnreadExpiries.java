package dev.ttlstore.sample.secrets;

import org.springframework.stereotype.Service;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.sample.team.Activity;
import dev.ttlstore.sample.team.QuotaAlarm;
import dev.ttlstore.spring.expiry.OnExpiry;

/** Informs a team about secrets that expired unread. */
@Service
class UnreadExpiries {

    private static final String SECRETS = ":" + Secrets.GROUP;

    private final Activity activity;
    private final Webhook webhook;
    private final QuotaAlarm alarm;

    UnreadExpiries(Activity activity, Webhook webhook, QuotaAlarm alarm) {
        this.activity = activity;
        this.webhook = webhook;
        this.alarm = alarm;
    }

    /**
     * Adds an expiry to the team's activity. It is called at least once for each. Teams come and go, so it handles
     * all groups. It takes no values, so it also handles secrets that cannot be decrypted.
     */
    @OnExpiry(subscriber = "activity", prefix = "")
    void expired(ExpiredEntry<Void> entry) {
        if (entry.group().endsWith(SECRETS)) {
            String team = entry.group().substring(0, entry.group().length() - SECRETS.length());
            activity.noteExpired(team, entry.expiresAt(), entry.version());
            webhook.noteExpired(team, entry.expiresAt());
            alarm.less(team);
        }
    }
}
