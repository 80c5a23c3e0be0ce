package dev.ttlstore.postgresql;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

/** Names as long as they may be, of letters that PostgreSQL cannot compress in an index. */
@Tag("postgresql")
class LongNamesTests {

    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

    private final Nodes nodes = new Nodes();
    private final Store store = nodes.open();
    private final Random random = new Random(1);

    @AfterEach
    void close() throws Exception {
        nodes.close();
    }

    private String name(int length) {
        StringBuilder name = new StringBuilder();
        random.ints(length, 0, LETTERS.length()).forEach(i -> name.append(LETTERS.charAt(i)));
        return name.toString();
    }

    @Test
    @Promise({12, 17})
    void anEntryWithTheLongestNamesIsDeliveredToASubscriberWithTheLongestName() {
        String group = name(1_024);
        String key = name(1_024);
        List<String> handled = new CopyOnWriteArrayList<>();
        store.onExpired(name(1_024), group, entry -> handled.add(entry.key()));
        store.group(group).put(key, "value", Duration.ofMillis(1));
        Awaitility.await().until(() -> store.purgeExpired() == 1);
        Awaitility.await().until(() -> handled.equals(List.of(key)));
    }
}
