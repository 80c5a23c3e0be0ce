package dev.ttlstore.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.awaitility.Awaitility;

import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.expiry.ExpiryHandler;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A handler that remembers what it has handled, in order, and may do something else first. */
final class Handled implements ExpiryHandler<String> {

    private final List<ExpiredEntry<String>> entries = Collections.synchronizedList(new ArrayList<>());
    private final ExpiryHandler<String> first;

    Handled() {
        this(entry -> {});
    }

    /** Remembers an entry only when something else has been done with it, and did not throw. */
    Handled(ExpiryHandler<String> first) {
        this.first = first;
    }

    @Override
    public void handle(ExpiredEntry<String> entry) throws Exception {
        first.handle(entry);
        entries.add(entry);
    }

    List<ExpiredEntry<String>> entries() {
        synchronized (entries) {
            return List.copyOf(entries);
        }
    }

    List<String> keys() {
        return entries().stream().map(ExpiredEntry::key).toList();
    }

    /** Waits until these have been handled, in any order, and nothing else. */
    void await(String... keys) {
        Awaitility.await().untilAsserted(() -> assertThat(keys()).containsExactlyInAnyOrder(keys));
    }

    /** Waits until so many have been handled. */
    void awaitCount(int count) {
        Awaitility.await().until(() -> entries.size() >= count);
    }
}
