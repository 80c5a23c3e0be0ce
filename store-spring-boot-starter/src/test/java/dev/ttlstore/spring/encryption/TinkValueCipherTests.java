package dev.ttlstore.spring.encryption;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;

import org.junit.jupiter.api.Test;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.mac.MacConfig;
import com.google.crypto.tink.mac.PredefinedMacParameters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TinkValueCipherTests {

    private static final byte[] VALUE = "the launch code is 0000".getBytes(UTF_8);

    private final TinkValueCipher cipher = TinkValueCipher.ofNewKey();

    @Test
    void whatWasSealedOpensWhereItWasSealedForAndIsDifferentEachTime() throws Exception {
        byte[] sealed = cipher.seal("group", "key", VALUE);
        assertThat(new String(sealed, UTF_8)).doesNotContain("launch");
        assertThat(cipher.open("group", "key", sealed)).isEqualTo(VALUE);
        assertThat(cipher.seal("group", "key", VALUE)).isNotEqualTo(sealed);
        assertThat(cipher.open("group", "key", cipher.seal("group", "key", new byte[0])))
                .isEmpty();
    }

    @Test
    void itOpensInNoOtherPlaceHoweverTheNamesAreCut() throws Exception {
        byte[] sealed = cipher.seal("ab", "cd", VALUE);
        assertRefused(cipher, "ab", "ce", sealed);
        assertRefused(cipher, "ac", "cd", sealed);
        assertRefused(cipher, "abc", "d", sealed);
        assertRefused(cipher, "a", "bcd", sealed);
        assertRefused(cipher, "cd", "ab", sealed);
    }

    @Test
    void anotherKeyDoesNotOpenIt() throws Exception {
        assertRefused(TinkValueCipher.ofNewKey(), "group", "key", cipher.seal("group", "key", VALUE));
    }

    @Test
    void whatWasNeverSealedIsRefused() {
        assertRefused(cipher, "group", "key", VALUE);
        assertRefused(cipher, "group", "key", new byte[0]);
    }

    @Test
    void whatWasNeverSealedIsReadForTheTimeOfAMigrationButNothingThatWasSealedAndMoved() throws Exception {
        TinkValueCipher migrating = cipher.readingPlain();
        assertThat(migrating.open("group", "key", VALUE)).isEqualTo(VALUE);
        assertThat(migrating.open("group", "key", new byte[0])).isEmpty();
        byte[] sealed = cipher.seal("group", "key", VALUE);
        assertThat(migrating.open("group", "key", sealed)).isEqualTo(VALUE);
        assertRefused(migrating, "group", "other", sealed);
        sealed[sealed.length - 1] ^= 1;
        assertRefused(migrating, "group", "key", sealed);
        assertThat(cipher.open("group", "key", migrating.seal("group", "key", VALUE)))
                .isEqualTo(VALUE);
    }

    /** Keys without a prefix give no sign of what was sealed with them. */
    @Test
    void withAKeyOfTypeRawNothingIsTakenForPlain() throws Exception {
        AeadConfig.register();
        AesGcmParameters raw = AesGcmParameters.builder()
                .setKeySizeBytes(32)
                .setIvSizeBytes(12)
                .setTagSizeBytes(16)
                .setVariant(AesGcmParameters.Variant.NO_PREFIX)
                .build();
        TinkValueCipher migrating = TinkValueCipher.of(KeysetHandle.generateNew(raw, RegistryConfiguration.get()))
                .readingPlain();
        assertThat(migrating.open("group", "key", migrating.seal("group", "key", VALUE)))
                .isEqualTo(VALUE);
        assertRefused(migrating, "group", "key", VALUE);
    }

    @Test
    void keysForSomethingElseAreRefused() throws Exception {
        MacConfig.register();
        KeysetHandle mac =
                KeysetHandle.generateNew(PredefinedMacParameters.HMAC_SHA256_128BITTAG, RegistryConfiguration.get());
        assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> TinkValueCipher.of(mac));
    }

    /** What was sealed by this version must open in the next, so the place has a form that stays: length, group, key. */
    @Test
    void thePlaceIsTheLengthOfTheGroupsNameAndBothNames() throws Exception {
        AeadConfig.register();
        KeysetHandle keyset = StoreKeyset.generate();
        byte[] place = ByteBuffer.allocate(4 + 5 + 4)
                .putInt(5)
                .put("gr\u00f6n".getBytes(UTF_8))
                .put("n\u00f6t".getBytes(UTF_8))
                .array();
        byte[] sealed =
                keyset.getPrimitive(RegistryConfiguration.get(), Aead.class).encrypt(VALUE, place);
        assertThat(TinkValueCipher.of(keyset).open("gr\u00f6n", "n\u00f6t", sealed))
                .isEqualTo(VALUE);
    }

    private static void assertRefused(TinkValueCipher cipher, String group, String key, byte[] sealed) {
        assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> cipher.open(group, key, sealed));
    }
}
