package dev.ttlstore.contract;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;

/** Records what a logger receives at a level or above, instead of printing it. Thread-safe. */
public final class LogRecorder implements AutoCloseable {

    private final Logger logger;
    private final @Nullable Level levelBefore;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    /**
     * Begins to record.
     *
     * @param name the logger, or the package of some
     * @param level the lowest level to keep
     */
    public LogRecorder(String name, Level level) {
        logger = (Logger) LoggerFactory.getLogger(name);
        levelBefore = logger.getLevel();
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(level);
    }

    /**
     * What was logged so far.
     *
     * @return a copy
     */
    public List<ILoggingEvent> events() {
        synchronized (appender) { // it adds while it holds its own lock
            return List.copyOf(appender.list);
        }
    }

    /**
     * The texts of what was logged so far.
     *
     * @return a copy
     */
    public List<String> messages() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /**
     * The stack traces that were logged so far.
     *
     * @return a copy
     */
    public List<String> traces() {
        return events().stream()
                .map(event -> ThrowableProxyUtil.asString(event.getThrowableProxy()))
                .toList();
    }

    /** Forgets what was logged so far. */
    public void clear() {
        synchronized (appender) {
            appender.list.clear();
        }
    }

    @Override
    public void close() {
        logger.setLevel(levelBefore);
        logger.setAdditive(true);
        logger.detachAppender(appender);
    }
}
