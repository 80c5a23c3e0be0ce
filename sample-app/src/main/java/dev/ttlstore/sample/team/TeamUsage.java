package dev.ttlstore.sample.team;

import dev.ttlstore.Quota;
import dev.ttlstore.Usage;
import dev.ttlstore.sample.web.Sizes;

/**
 * The usage of a team's quota, for its page.
 *
 * @param value the larger share of keys and bytes, in percent
 * @param text the usage in words
 * @param note a warning, or empty
 * @param level the CSS class of the warning
 */
record TeamUsage(long value, String text, String note, String level) {

    private static final long NEARLY = 80;

    /** The share from which the bar is red, as the page says. */
    private static final long FULL = 95;

    static TeamUsage of(Usage usage, Quota quota) {
        long share = Math.max(percent(usage.keys(), quota.maxKeys()), percent(usage.bytes(), quota.maxBytes()));
        String keys = usage.keys()
                + (quota.maxKeys() == 0 ? "" : " of " + quota.maxKeys())
                + (usage.keys() == 1 && quota.maxKeys() == 0 ? " secret" : " secrets");
        String bytes = Sizes.of(usage.bytes()) + (quota.maxBytes() == 0 ? "" : " of " + Sizes.of(quota.maxBytes()));
        return new TeamUsage(share, keys + ", " + bytes, note(share), level(share));
    }

    private static String note(long share) {
        if (share < NEARLY) {
            return "";
        }
        return share < 100 ? "nearly reached" : "used up";
    }

    private static String level(long share) {
        if (share < NEARLY) {
            return "";
        }
        return share < FULL ? "near" : "full";
    }

    private static long percent(long taken, long limit) {
        return limit == 0 ? 0 : Math.min(100, taken * 100 / limit);
    }
}
