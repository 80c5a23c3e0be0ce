package dev.ttlstore.spring.observation;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.WriteBatch;

/**
 * A method of the API whose calls are observed: one that reads or writes entries and has its answer when it returns, or
 * when its future completes.
 *
 * @param operation its name
 * @param meaning what its answer says
 */
record ObservedMethod(String operation, Meaning meaning) {

    /** What an answer says. An empty one is false, zero, or has no element. */
    enum Meaning {

        /** What was found. */
        FOUND(
                "get",
                "entry",
                "contains",
                "getAll",
                "entries",
                "page",
                "count",
                "take",
                "takeEntry",
                "getAndExpire",
                "split",
                "fields"),

        /** Whether there was a change, or how many. */
        CHANGED(
                "putIfAbsent",
                "putIfPresent",
                "replace",
                "replaceVersion",
                "update",
                "delete",
                "deleteVersion",
                "deleteAll",
                "deleteGroup",
                "deletePrefix",
                "clear",
                "sweep",
                "expire",
                "expireNow",
                "expireAll",
                "expireAllNow",
                "expirePrefix",
                "persist",
                "purgeExpired",
                "write",
                "writeAsync"),

        /** What has prevented a change. */
        PREVENTED("getAndPutIfAbsent"),

        /** Neither. */
        OTHER(
                "put",
                "putAll",
                "add",
                "getAndPut",
                "getOrPut",
                "increment",
                "updateOrDelete",
                "render",
                "renderStrict",
                "transact",
                "transactWithoutResult",
                "transactChecked",
                "transactCheckedWithoutResult",
                "erase",
                "backup",
                "verify");

        @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed
        private final Set<String> methods;

        Meaning(String... methods) {
            this.methods = Set.of(methods);
        }
    }

    /** What these return is not there yet when they return it, or is only prepared. */
    private static final List<Class<?>> UNFINISHED = List.of(Stream.class, WriteBatch.class);

    private static final Map<Method, Optional<ObservedMethod>> KNOWN = new ConcurrentHashMap<>();

    /** Finds out whether a method of the API is observed; null if not. */
    static @Nullable ObservedMethod of(Method method) {
        Optional<ObservedMethod> known = KNOWN.get(method); // does not lock, as computeIfAbsent may
        return (known == null ? KNOWN.computeIfAbsent(method, ObservedMethod::find) : known).orElse(null);
    }

    private static Optional<ObservedMethod> find(Method method) {
        return UNFINISHED.contains(method.getReturnType())
                ? Optional.empty()
                : Stream.of(Meaning.values())
                        .filter(meaning -> meaning.methods.contains(method.getName()))
                        .findFirst()
                        .map(meaning -> new ObservedMethod(operation(method.getName()), meaning));
    }

    private static String operation(String method) {
        return method.startsWith("transact") ? "transact" : method.equals("writeAsync") ? "write" : method;
    }

    boolean isTransaction() {
        return operation.equals("transact");
    }

    CallOutcome outcome(@Nullable Object answer) {
        return switch (meaning) {
            case FOUND -> isEmpty(answer) ? CallOutcome.MISS : CallOutcome.HIT;
            case CHANGED -> isEmpty(answer) ? CallOutcome.UNCHANGED : CallOutcome.DONE;
            case PREVENTED -> isEmpty(answer) ? CallOutcome.DONE : CallOutcome.UNCHANGED;
            case OTHER -> CallOutcome.DONE;
        };
    }

    private static boolean isEmpty(@Nullable Object answer) {
        if (answer instanceof Boolean is) {
            return !is;
        }
        if (answer instanceof Long number) {
            return number == 0;
        }
        if (answer instanceof Optional<?> optional) {
            return optional.isEmpty();
        }
        if (answer instanceof OptionalLong optional) {
            return optional.isEmpty();
        }
        if (answer instanceof Collection<?> several) {
            return several.isEmpty();
        }
        return answer instanceof Map<?, ?> entries && entries.isEmpty();
    }
}
