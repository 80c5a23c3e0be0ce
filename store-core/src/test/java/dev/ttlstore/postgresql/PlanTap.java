package dev.ttlstore.postgresql;

import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * A data source whose server tells the plan of each statement that a node runs, as the module {@code auto_explain} does. Its role may
 * load that. Thread-safe.
 */
final class PlanTap {

    private static final String TEXT = "Query Text: ";

    /** The plans by the texts of their statements, which may have several. */
    private final Map<String, Set<String>> plans = new ConcurrentHashMap<>();

    private final DataSource source;

    /**
     * Starts.
     *
     * @param mode the {@code plan_cache_mode} of statements for which a node says nothing else
     */
    PlanTap(String mode) {
        PGSimpleDataSource explaining = TestServer.admin();
        explaining.setOptions("-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0"
                + " -c auto_explain.log_level=notice -c client_min_messages=notice -c plan_cache_mode=" + mode);
        this.source = new StatementTap(explaining, this::note, (text, failure) -> {}).source();
    }

    DataSource source() {
        return source;
    }

    Map<String, Set<String>> plans() {
        return plans;
    }

    private void note(Statement statement) throws SQLException {
        for (SQLWarning notice = statement.getWarnings(); notice != null; notice = notice.getNextWarning()) {
            String message = Objects.requireNonNullElse(notice.getMessage(), "");
            int text = message.indexOf(TEXT);
            // The plan follows the text, which may have lines of its own.
            int plan = message.indexOf("  (cost=");
            if (text >= 0 && plan >= 0) {
                int line = message.lastIndexOf('\n', plan);
                plans.computeIfAbsent(
                                message.substring(text + TEXT.length(), line), key -> ConcurrentHashMap.newKeySet())
                        .add(message.substring(line + 1).replaceAll(" {2}\\(cost=.*\\)", ""));
            }
        }
    }
}
