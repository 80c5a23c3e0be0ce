package dev.ttlstore.internal.copy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.engine.CopyPage;
import dev.ttlstore.engine.CopyPage.Kind;
import dev.ttlstore.engine.CopyPage.StoredDelivery;
import dev.ttlstore.engine.Delivery;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.Subscriber;

import static java.util.Objects.requireNonNull;

/**
 * How many rows of each kind a store holds, and their checksums, whatever the order in which it was read. Used by one thread.
 */
final class ContentSums {

    private final Map<Kind, Sum> sums = new EnumMap<>(Kind.class);

    ContentSums() {
        for (Kind kind : Kind.values()) {
            sums.put(kind, new Sum());
        }
    }

    private Sum of(Kind kind) {
        return sums.computeIfAbsent(kind, none -> new Sum());
    }

    void add(CopyPage page) {
        page.entries().forEach(change -> add(Kind.ENTRIES, requireNonNull(change.after())));
        page.retained().forEach(row -> add(Kind.RETAINED, row));
        page.subscribers().forEach(this::add);
        page.deliveries().forEach(this::add);
    }

    private void add(Kind kind, Row row) {
        of(kind).text(row.key().group())
                .text(row.key().key())
                .bytes(row.value())
                .number(row.version())
                .number(row.createdAt())
                .number(row.updatedAt())
                .number(row.expiresAt())
                .end();
    }

    private void add(Subscriber subscriber) {
        of(Kind.SUBSCRIBERS)
                .text(subscriber.name())
                .text(subscriber.groups().from())
                .text(subscriber.groups().to())
                .text(subscriber.nameInScopes())
                .end();
    }

    /** Leaves out the id, which the target makes. */
    private void add(StoredDelivery stored) {
        Delivery delivery = stored.delivery();
        of(Kind.DELIVERIES)
                .text(delivery.subscriber())
                .text(delivery.key().group())
                .text(delivery.key().key())
                .bytes(stored.value())
                .number(delivery.version())
                .number(delivery.expiresAt())
                .number(delivery.attempts())
                .number(delivery.nextAt())
                .number(stored.parked() ? 1 : 0)
                .text(delivery.error())
                .end();
    }

    long count(Kind kind) {
        return of(kind).count();
    }

    long count() {
        return sums.values().stream().mapToLong(Sum::count).sum();
    }

    /** Returns one checksum of everything. */
    String checksum() {
        Sum all = new Sum();
        sums.forEach((kind, sum) ->
                all.text(kind.name()).number(sum.count()).text(sum.digits()).end());
        return all.digits();
    }

    /** Says what differs in other contents, without anything of the rows. */
    List<String> differences(ContentSums other) {
        List<String> found = new ArrayList<>();
        sums.forEach((kind, sum) -> {
            Sum others = other.of(kind);
            String plural =
                    kind == Kind.RETAINED ? "retained entries" : kind.name().toLowerCase(Locale.ROOT);
            if (sum.count() != others.count()) {
                found.add(String.format(Locale.ROOT, "%,d %s instead of %,d", others.count(), plural, sum.count()));
            } else if (!sum.digits().equals(others.digits())) {
                found.add("the checksum of the " + plural + " is " + others.digits() + " instead of " + sum.digits());
            }
        });
        return found;
    }

    /**
     * A checksum of rows that does not depend on their order: the sum of 128 bits of the SHA-256 of each row, in two halves. A sum
     * also notices a row that is there twice, which an exclusive or would not. Used by one thread.
     */
    private static final class Sum {

        private final MessageDigest digest = sha256();
        private final ByteBuffer eight = ByteBuffer.allocate(Long.BYTES);
        private long count;
        private long high;
        private long low;

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java platform has SHA-256", e);
            }
        }

        /** Adds a text of the current row; null differs from every text. */
        Sum text(@Nullable String text) {
            return text == null ? number(-1) : bytes(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Adds bytes of the current row, with their length, so that the next ones cannot be mistaken for a part of them. */
        Sum bytes(byte[] bytes) {
            Sum unused = number(bytes.length);
            digest.update(bytes);
            return this;
        }

        Sum number(long number) {
            digest.update(eight.putLong(0, number).array());
            return this;
        }

        /** Ends the current row. */
        void end() {
            ByteBuffer hash = ByteBuffer.wrap(digest.digest());
            high += hash.getLong();
            low += hash.getLong();
            count++;
        }

        long count() {
            return count;
        }

        String digits() {
            return String.format(Locale.ROOT, "%016x%016x", high, low);
        }
    }
}
