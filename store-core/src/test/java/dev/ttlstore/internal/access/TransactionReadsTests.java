package dev.ttlstore.internal.access;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

class TransactionReadsTests {

    @Test
    @Promise(8)
    void whatAReaderDoesToTheBytesOfAWholeGroupLeavesTheTransactionAlone() {
        try (Store store = Store.builder().inMemory().open()) {
            Group<byte[]> group = store.group("group", Codec.bytes());
            group.put("committed", new byte[] {1});
            store.transact(tx -> {
                Group<byte[]> seen = tx.group("group", Codec.bytes());
                seen.put("own", new byte[] {2});
                assertThat(seen.get("committed")).isPresent(); // so that the draft has it
                seen.getAll().values().forEach(bytes -> bytes[0] = 9);
                return seen.putIfAbsent("another", new byte[] {3});
            });
            assertThat(group.getAll().get("own")).isEqualTo(new byte[] {2});
            assertThat(group.getAll().get("committed")).isEqualTo(new byte[] {1});
        }
    }
}
