package dev.ttlstore.spring.observation;

import java.io.Serial;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Stands for an exception in an observation. Its message has only the names of the classes of the exception and its
 * causes, because their messages may contain a key or a value. Nothing throws it.
 */
final class StoreCallFailure extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    /** More causes than anyone reads; and causes may go round in a circle. */
    private static final int MOST_CAUSES = 10;

    StoreCallFailure(Throwable failure) {
        super(classes(failure));
        setStackTrace(failure.getStackTrace());
    }

    private static String classes(Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, e -> e == null ? null : e.getCause())
                .limit(MOST_CAUSES)
                .takeWhile(Objects::nonNull)
                .map(e -> Objects.requireNonNull(e).getClass().getName())
                .collect(Collectors.joining(", caused by "));
    }

    /** The stack trace is that of the exception. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
