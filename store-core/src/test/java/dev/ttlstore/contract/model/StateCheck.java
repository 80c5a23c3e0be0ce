package dev.ttlstore.contract.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ttlstore.Entry;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static dev.ttlstore.contract.Assertions.assertThat;

/** Compares all that can be seen of a store with the model. */
final class StateCheck {

    private StateCheck() {}

    static void check(Store store, Model model) {
        assertThat(store.groups()).as("groups").containsExactlyElementsOf(model.groups());
        assertThat(store.count()).as("count of the store").isEqualTo(model.count());
        assertThat(store.stats().entries()).as("entries in the stats").isEqualTo(model.count());
        assertThat(store.stats().expired()).as("expired in the stats").isEqualTo(model.expiredCount());
        Set<String> names = new LinkedHashSet<>(Steps.GROUPS);
        names.addAll(model.groups());
        names.forEach(name -> checkGroup(store.group(name), model));
    }

    private static void checkGroup(TextGroup group, Model model) {
        Map<String, ModelEntry> entries = model.entries(group.name());
        assertThat(new ArrayList<>(group.getAll().keySet()))
                .as("keys of " + group.name())
                .isEqualTo(new ArrayList<>(entries.keySet()));
        assertThat(List.copyOf(group.getAll().values()))
                .as("values of " + group.name())
                .isEqualTo(entries.values().stream().map(ModelEntry::value).toList());
        assertThat(group.count()).as("count of " + group.name()).isEqualTo(entries.size());
        entries.forEach((key, entry) -> assertThat(group.entry(key))
                .as("entry " + key + " of " + group.name())
                .contains(seen(key, entry, model.now())));
    }

    private static Entry<String> seen(String key, ModelEntry entry, long now) {
        boolean expires = entry.expiresAt() != ModelEntry.NEVER;
        return new Entry<>(
                key,
                entry.value(),
                entry.version(),
                Instant.ofEpochMilli(entry.createdAt()),
                Instant.ofEpochMilli(entry.updatedAt()),
                expires ? Instant.ofEpochMilli(entry.expiresAt()) : null,
                expires ? Duration.ofMillis(entry.expiresAt() - now) : null);
    }
}
