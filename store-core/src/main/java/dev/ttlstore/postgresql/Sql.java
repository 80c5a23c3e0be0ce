package dev.ttlstore.postgresql;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.StoreClock;
import dev.ttlstore.engine.support.SteadyClock;

/**
 * The text of the statements of one store. Templates name tables as {@code @entry}, the server's time in milliseconds as
 * {@code {now}} and in microseconds as {@code {micros}}. {@code {clock}} is the server's time in milliseconds even if the store has
 * another clock, for what concerns nodes and not entries. {@code {server}} tells one start of a server from all others: it is the
 * time of that start in microseconds. {@code {store}} is the number of the store, for the locks of an earlier version. {@code {durability}} is what
 * distributed commits set {@code synchronous_commit} to.
 *
 * <p>If the tables are distributed by slot, a statement must name its slots. Then the database can send it to the servers
 * with these slots. Two more names in templates are for that:
 *
 * <ul>
 *   <li>{@code {slots}} is a table {@code s (slot)} with the slots of an array, and {@code {slots x}} one with their values
 *       {@code x} of another array. A distributed database joins the array with the table of slots, because it can send joins of
 *       its own tables by slot to its servers.
 *   <li>{@code {each e}} after a condition that joins the table {@code e} with rows from arrays becomes another condition for its
 *       slot, and {@link Script} makes a statement for each slot.
 * </ul>
 *
 * <p>Other roles may have created operators and functions in a schema of the search path, such as {@code public}. {@code pg_catalog} is
 * searched first, but what stands in another schema is preferred if its types fit better, and would run with the rights of the store.
 * So templates leave no choice. Both sides of an operator, and the arguments of a function, have exactly the types that one of
 * {@code pg_catalog} has; a text is {@code ?::text}, because drivers call it {@code varchar}. The names of functions that take any type,
 * such as {@code count}, begin with {@code pg_catalog.}. Setting the search path instead would take one more statement for each read,
 * and change the path of the application's own transactions.
 *
 * <p>Thread-safe.
 */
final class Sql {

    // In floating point, which has room for microseconds until the year 2255, and takes less time than numeric.
    private static final String NOW = "floor(date_part('epoch', clock_timestamp()) * 1000::double precision)::bigint";
    private static final String SERVER =
            "floor(date_part('epoch', pg_postmaster_start_time()) * 1000000::double precision)::bigint";
    private static final String MICROS =
            "floor(date_part('epoch', clock_timestamp()) * 1000000::double precision)::bigint";

    /** The largest time in microseconds from which versions can be made. */
    private static final long LAST_MICROS = 1L << 56;

    private static final Pattern SLOTS = Pattern.compile("\\{slots(?: (\\w+))?}");

    private static final Pattern STEP = Pattern.compile("\\{(\\w+\\.slot)}");

    /** Citus does not send what a function returns to a subquery with a limit, but it does send an element of an array. */
    private static final String PLACED = """
            (SELECT t.slot, u.%1$s
               FROM (SELECT slot, pg_catalog.array_position(?::int[], slot) AS place FROM @slot) t
              CROSS JOIN LATERAL (SELECT (?::bigint[])[t.place] AS %1$s) u
              WHERE t.place IS NOT NULL) s""";

    private static final Pattern EACH = Pattern.compile("\\{each (\\w+)}");

    private final String schema;
    private final int store;
    private final @Nullable InstantSource clock;
    private volatile boolean distributed;
    private volatile boolean earlierNodes;
    private volatile String durability = "on";
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    /**
     * Creates the texts.
     *
     * @param schema the name of the schema
     * @param clock replaces the server's time if it is not a clock of the system
     */
    Sql(String schema, InstantSource clock) {
        this.schema = schema;
        this.store = number(schema);
        this.clock = StoreClock.isOfSystem(clock) ? null : clock;
    }

    /** Returns a number for the locks of an earlier version in a schema, the same on each node. */
    static int number(String schema) {
        CRC32 sum = new CRC32();
        sum.update(("TTL Store " + schema).getBytes(StandardCharsets.UTF_8));
        return (int) sum.getValue();
    }

    /** Tests whether the time is the server's. */
    boolean isServerTime() {
        return clock == null;
    }

    /** Returns the time in milliseconds that stands for the server's; null if that counts. */
    @Nullable
    Long clock() {
        return clock == null ? null : (Long) SteadyClock.read(clock);
    }

    /** Tests whether the tables are distributed by slot. */
    boolean isDistributed() {
        return distributed;
    }

    /** Notes that the tables are distributed, before statements for them are made. */
    void distributed(boolean tables) {
        distributed = tables;
    }

    /** Tests whether there may be nodes of an earlier version, which know only its locks. */
    boolean hasEarlierNodes() {
        return earlierNodes;
    }

    /** Notes whether there may be nodes of an earlier version, before statements are made. */
    void earlierNodes(boolean mayBe) {
        earlierNodes = mayBe;
    }

    /** Notes what distributed commits set {@code synchronous_commit} to, before statements for them are made. */
    void durability(String setting) {
        durability = setting;
    }

    /** Tests whether a statement is made for each slot if the tables are distributed. */
    static boolean isForEachSlot(String template) {
        return template.contains("{each ");
    }

    /** Names the slot of each step of a query: as the template does, or one slot by its number. */
    static String steps(String template, @Nullable Integer slot) {
        return STEP.matcher(template).replaceAll(slot == null ? "$1" : slot.toString());
    }

    /** The name of the schema, quoted. */
    String schema() {
        return quoted(schema);
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Returns the text of a template. */
    String of(String template) {
        String text = texts.get(template);
        if (text == null) {
            text = withSlots(template)
                    .replace("@", schema() + '.')
                    .replace("{store}", Integer.toString(store))
                    .replace("{durability}", durability)
                    .replace("{clock}", NOW)
                    .replace("{server}", SERVER);
            if (clock == null) {
                text = text.replace("{now}", NOW).replace("{micros}", MICROS);
            }
            texts.put(template, text);
        }
        return clock == null ? text : at(SteadyClock.read(clock), text);
    }

    /** Puts in how the slots of the statement are named. */
    private String withSlots(String template) {
        String text = EACH.matcher(template).replaceAll(distributed ? " AND $1.slot = ?" : "");
        return SLOTS.matcher(text).replaceAll(slots -> {
            String value = slots.group(1);
            if (value == null) {
                return distributed
                        ? "(SELECT t.slot FROM @slot t WHERE t.slot = ANY (?::int[])) s"
                        : "pg_catalog.unnest(?::int[]) s (slot)";
            }
            return distributed ? PLACED.formatted(value) : "unnest(?::int[], ?::bigint[]) s (slot, " + value + ")";
        });
    }

    private static String at(long millis, String text) {
        if (text.indexOf('{') < 0) {
            return text;
        }
        return text.replace("{now}", millis + "::bigint").replace("{micros}", micros(millis) + "::bigint");
    }

    /** Converts a time in milliseconds to one in microseconds, from which versions can be made. */
    static long micros(long millis) {
        return millis <= 0 ? 0 : millis >= LAST_MICROS / 1_000 ? LAST_MICROS : millis * 1_000;
    }
}
