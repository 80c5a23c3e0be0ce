package dev.ttlstore.contract;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import dev.ttlstore.engine.CopyPage;
import dev.ttlstore.engine.CopyPage.Kind;
import dev.ttlstore.engine.CopyPage.StoredDelivery;
import dev.ttlstore.engine.CopySource;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.engine.EngineSettings;
import dev.ttlstore.engine.Place;
import dev.ttlstore.engine.Row;

import static java.util.Objects.requireNonNull;

/** Everything that a store holds, as lines to compare. */
public final class Dump {

    private final List<String> lines = new ArrayList<>();

    private Dump() {}

    /** Reads all of a store that nobody uses. */
    public static List<String> of(EngineFactory engine, InstantSource clock) {
        Dump dump = new Dump();
        try (CopySource store = engine.openSource(new EngineSettings(false, Duration.ZERO, clock))) {
            dump.read(store);
        }
        Collections.sort(dump.lines);
        return dump.lines;
    }

    private void read(CopySource store) {
        for (Kind kind : Kind.values()) {
            CopyPage page = store.page(kind, Place.START);
            while (!page.isEmpty()) {
                page.entries().forEach(change -> add("entry", requireNonNull(change.after())));
                page.retained().forEach(row -> add("retained", row));
                page.subscribers().forEach(subscriber -> lines.add("subscriber " + subscriber));
                page.deliveries().forEach(this::add);
                page = store.page(kind, page.last());
            }
        }
    }

    private void add(String kind, Row row) {
        lines.add(String.join(
                " ",
                kind,
                row.key().group(),
                row.key().key(),
                HexFormat.of().formatHex(row.value()),
                numbers(row.version(), row.createdAt(), row.updatedAt(), row.expiresAt())));
    }

    private void add(StoredDelivery stored) {
        Delivery delivery = stored.delivery();
        lines.add(String.join(
                " ",
                "delivery",
                delivery.subscriber(),
                delivery.key().group(),
                delivery.key().key(),
                HexFormat.of().formatHex(stored.value()),
                numbers(delivery.version(), delivery.expiresAt(), delivery.attempts(), delivery.nextAt()),
                String.valueOf(stored.parked()),
                String.valueOf(delivery.error())));
    }

    private static String numbers(long one, long two, long three, long four) {
        return String.format(Locale.ROOT, "%d %d %d %d", one, two, three, four);
    }
}
