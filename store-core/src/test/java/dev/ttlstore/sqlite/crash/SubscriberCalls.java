package dev.ttlstore.sqlite.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ttlstore.sqlite.crash.Expiring.Fate;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The calls of a subscriber's handler, in the order in which they came. */
final class SubscriberCalls {

    private final String subscriber;
    private final List<HandlerCall> calls = new ArrayList<>();
    private final Map<String, HandlerCall> lastOfKey = new HashMap<>();

    /** In which round the handler has returned last from an entry. */
    private final Map<Long, Integer> returns = new HashMap<>();

    private final Map<Long, Integer> attempts = new HashMap<>();

    SubscriberCalls(String subscriber) {
        this.subscriber = subscriber;
    }

    /**
     * The handler was called. The expiries of a key come in the order of their versions: a later one is not told before the
     * note that the one before it was handled is safe, and so none is told again once the next one was.
     */
    void called(int round, HandlerCall call) {
        HandlerCall before = lastOfKey.put(call.key(), call);
        if (before != null && before.number() == call.number()) {
            require(before.version() == call.version(), call, "had another version in " + before);
        } else if (before != null) {
            require(before.number() < call.number() && before.version() < call.version(), call, "came after " + before);
        }
        Integer returned = returns.get(call.number());
        require(returned == null || returned < round, call, "came though the handler had returned, with no kill since");
        int attempt = attempts.merge(call.number(), 1, Integer::sum);
        require(call.attempt() >= 1 && call.attempt() <= attempt, call, "is call number " + attempt);
        calls.add(call);
    }

    /** The handler is about to return. */
    void returned(int round, long number) {
        returns.put(number, round);
    }

    /** Requires that the calls are those for entries that have expired, and that none is missing. */
    void check(Map<Long, Expiring> entries) {
        for (HandlerCall call : calls) {
            Expiring entry = entries.get(call.number());
            if (entry == null) {
                throw new AssertionError("'" + subscriber + "' was called for what was never put: " + call);
            }
            require(entry.key().equals(call.key()), call, "is about the " + entry);
            require(entry.fate() != Fate.NOT_TOLD, call, "is about the " + entry);
            require(entry.mayExpireAt(call.expiresAt()), call, "is about the " + entry);
            require(call.time() >= call.expiresAt(), call, "came before the expiry");
        }
        assertThat(calls).as("the calls of '%s'", subscriber).isNotEmpty();
        List<Expiring> missing = new ArrayList<>();
        entries.forEach((number, entry) -> {
            if (entry.fate() == Fate.TOLD && !returns.containsKey(number)) {
                missing.add(entry);
            }
        });
        assertThat(missing).as("what '%s' was not told of", subscriber).isEmpty();
    }

    private void require(boolean right, HandlerCall call, String what) {
        if (!right) {
            throw new AssertionError("The call of '" + subscriber + "', " + call + ", " + what);
        }
    }
}
