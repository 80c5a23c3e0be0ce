package dev.ttlstore.postgresql;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How the server plans the store's statements. Their plans do not depend on their parameters, so that they are made once for each
 * connection. On a table that was short when the plan was made, it must use the index all the same, and in its order: the server
 * would read all that the log has of a slot, and sort it, to find the newest.
 */
final class PlanSettings {

    private static final List<Entry<String, String>> ALL = List.of(
            Map.entry("plan_cache_mode", "force_generic_plan"),
            Map.entry("enable_seqscan", "off"),
            Map.entry("enable_bitmapscan", "off"));

    /** The columns of a query that sets them until the transaction ends. */
    static final String SET =
            each(setting -> "set_config('%s', '%s', true)".formatted(setting.getKey(), setting.getValue()));

    /** The columns of a query for what they are. */
    static final String SAVE = each(setting -> "current_setting('%s')".formatted(setting.getKey()));

    /** The columns of a query that sets them to what {@link #SAVE} has told, which are its parameters. */
    static final String RESTORE = each(setting -> "set_config('%s', ?::text, true)".formatted(setting.getKey()));

    /** The settings of a function, as {@code pg_proc} lists them. */
    static final String OF_A_FUNCTION = ALL.stream()
            .map(setting -> setting.getKey() + '=' + setting.getValue())
            .collect(Collectors.joining(","));

    private PlanSettings() {}

    private static String each(Function<Entry<String, String>, String> column) {
        return ALL.stream().map(column).collect(Collectors.joining(", "));
    }
}
