package dev.ttlstore.spring.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.security.crypto.keygen.StringKeyGenerator;

import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;

import static org.assertj.core.api.Assertions.assertThat;

/** A link of the application's own, of which each user has one that works, and works once. */
class OneTimeLinksTests {

    private final Store store = Store.inMemory();
    private final ResetLinks resets = new ResetLinks(store);

    @AfterEach
    void close() {
        store.close();
    }

    private static final class ResetLinks {

        private final StringKeyGenerator tokens =
                new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding());
        private final TextGroup links;

        ResetLinks(Store store) {
            links = store.group("reset-links");
        }

        String create(String user) throws NoSuchAlgorithmException {
            String token = tokens.generateKey();
            links.put(user, hash(token), Duration.ofMinutes(30)); // ends the link before
            return token;
        }

        boolean redeem(String user, String token) throws NoSuchAlgorithmException {
            return links.delete(user, hash(token)); // true once
        }

        static String hash(String secret) throws NoSuchAlgorithmException {
            byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        }
    }

    @Test
    void aLinkWorksOnce() throws Exception {
        String token = resets.create("ann");
        assertThat(resets.redeem("ann", "another")).isFalse();
        assertThat(resets.redeem("ann", token)).isTrue();
        assertThat(resets.redeem("ann", token)).isFalse();
    }

    @Test
    void aNewerLinkEndsTheOneBefore() throws Exception {
        String first = resets.create("ann");
        String second = resets.create("ann");
        assertThat(resets.redeem("ann", first)).isFalse();
        assertThat(resets.redeem("ann", second)).isTrue();
    }

    @Test
    void theStoreDoesNotHaveTheToken() throws Exception {
        String token = resets.create("ann");
        assertThat(store.group("reset-links").getAll()).containsOnlyKeys("ann").doesNotContainValue(token);
    }
}
