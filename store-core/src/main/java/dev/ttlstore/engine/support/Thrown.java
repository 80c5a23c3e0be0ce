package dev.ttlstore.engine.support;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.exception.StoreException;

/**
 * Describes what code of the application has thrown: which exceptions, and where. Their messages are left out, because they may quote a
 * value, as that of {@code Long.parseLong} does. Only those of the store are kept, which never do.
 *
 * @since 0.1
 */
public final class Thrown {

    /** How many causes are followed. There may be a circle. */
    private static final int MAX_CAUSES = 10;

    private static final List<String> PLATFORM = List.of("java.", "javax.", "jdk.", "sun.");

    private Thrown() {}

    /**
     * Describes an exception and its causes in one line.
     *
     * @param failure the exception
     * @return for each its class, and the first place on its stack that is not of the JDK
     */
    public static String line(Throwable failure) {
        StringBuilder line = new StringBuilder();
        Throwable next = failure;
        for (int i = 0; i <= MAX_CAUSES && next != null; i++) {
            line.append(i == 0 ? "" : "; caused by ").append(name(next));
            StackTraceElement place = place(next.getStackTrace());
            if (place != null) {
                line.append(" at ").append(place);
            }
            next = next.getCause();
        }
        return line.toString();
    }

    /**
     * Copies an exception for the log.
     *
     * @param failure the exception
     * @return one that is logged with the same stack traces and causes, but without their messages
     */
    public static Throwable withoutMessages(Throwable failure) {
        return copy(failure, MAX_CAUSES);
    }

    /**
     * Throws a failure again, if there is an unchecked one.
     *
     * @param failure the failure; null if there is none
     */
    public static void again(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    private static Throwable copy(Throwable failure, int causes) {
        Throwable cause = failure.getCause();
        Throwable copy =
                new WithoutMessage(name(failure), cause == null || causes == 0 ? null : copy(cause, causes - 1));
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }

    private static String name(Throwable failure) {
        String type = failure.getClass().getName();
        return failure instanceof StoreException ? type + ": " + failure.getMessage() : type;
    }

    private static @Nullable StackTraceElement place(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> PLATFORM.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .orElse(stack.length == 0 ? null : stack[0]);
    }

    /** Has the class of another exception for its message. */
    private static final class WithoutMessage extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        private WithoutMessage(String type, @Nullable Throwable cause) {
            super(type, cause);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this; // it gets that of the other
        }
    }
}
