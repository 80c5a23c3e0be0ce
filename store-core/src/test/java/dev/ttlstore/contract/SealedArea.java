package dev.ttlstore.contract;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.BeforeEach;

import dev.ttlstore.Codec;
import dev.ttlstore.Group;
import dev.ttlstore.Keyspace;
import dev.ttlstore.ValueCipher;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Part of the contract with groups whose values are sealed before they are stored. */
abstract class SealedArea extends ContractArea {

    static final String PLAIN = "pl41n";
    static final Duration HOUR = Duration.ofHours(1);

    /** Whether groups that are made now are encrypted; turned off, a test sees what is stored. */
    private final AtomicBoolean encrypted = new AtomicBoolean(true);

    final ValueCipher cipher = new AesGcm(1);

    static boolean isChosen(String group) {
        return group.equals("group") || group.equals("other") || group.endsWith(":group");
    }

    final boolean isEncrypted(String group) {
        return encrypted.get() && isChosen(group);
    }

    @BeforeEach
    void encrypt() {
        open(settings().encrypt(this::isEncrypted, cipher));
        store().deletePrefix("");
    }

    /** A group as it is stored. */
    final Group<byte[]> stored(Keyspace keyspace, String name) {
        encrypted.set(false);
        try {
            return keyspace.group(name, Codec.bytes());
        } finally {
            encrypted.set(true);
        }
    }

    final void assertSealed(Keyspace keyspace, String name) {
        assertThat(stored(keyspace, name).entries()).isNotEmpty().allSatisfy(entry -> assertThat(
                        new String(entry.value(), ISO_8859_1))
                .doesNotContain(PLAIN));
    }

    /** Another place to which somebody who can write the file moves a value, and back. */
    final void move(String fromGroup, String fromKey, String toGroup, String toKey) {
        byte[] bytes = stored(store(), fromGroup).get(fromKey).orElseThrow();
        stored(store(), toGroup).put(toKey, bytes);
    }

    final void fillWithBad() {
        store().group("other").put("bad", PLAIN);
        move("other", "bad", "group", "bad");
        group().put("good", "value");
    }
}
