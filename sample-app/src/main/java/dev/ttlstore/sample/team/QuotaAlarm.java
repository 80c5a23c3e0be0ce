package dev.ttlstore.sample.team;

import java.time.Duration;

import org.springframework.stereotype.Service;

import dev.ttlstore.Quota;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.Usage;

/** Informs a team each time it reaches four fifths of its quota. */
@Service
public class QuotaAlarm {

    private static final double NEARLY = 0.8;

    /** Longer than the lifetime of any secret, but limited, because teams come and go. */
    private static final Duration KEPT = Duration.ofDays(366);

    private final Teams teams;
    private final Activity activity;
    private final TextGroup told;

    QuotaAlarm(Store store, Teams teams, Activity activity) {
        this.teams = teams;
        this.activity = activity;
        this.told = store.group("quota-nearly-reached");
    }

    /** Call this when a team's usage has grown. Of concurrent callers, one informs the team. */
    public void more(String team) {
        if (isNear(team)) {
            if (told.putIfAbsent(team, "", KEPT).isPresent()) {
                activity.note(team, Activity.Kind.NEARLY_FULL);
            }
        } else {
            less(team);
        }
    }

    /** Call this when a team's usage has shrunk. */
    public void less(String team) {
        if (told.contains(team) && !isNear(team)) {
            told.delete(team);
        }
    }

    private boolean isNear(String team) {
        Usage usage = teams.scope(team).usage();
        Quota quota = teams.quota(team);
        return isNear(usage.keys(), quota.maxKeys()) || isNear(usage.bytes(), quota.maxBytes());
    }

    private static boolean isNear(long taken, long limit) {
        return limit > 0 && taken >= NEARLY * limit;
    }
}
