package dev.ttlstore.contract;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.ttlstore.UnreadableValues;
import dev.ttlstore.ValueCipher;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.expiry.ExpiredEntry;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** What a cipher may do wrong, and when it is called. */
abstract class CipherContract extends SealedArea {

    @Test
    @Promise(17)
    void whatNobodyNeedsIsNotOpened() {
        open(settings().encrypt(SealedArea::isChosen, new FaultyCipher(Fault.THROWS, false)));
        List<ExpiredEntry<Void>> told = new CopyOnWriteArrayList<>();
        Subscription subscription = store().onExpired("count", "group", Void.class, told::add);
        group().put("key", PLAIN, Duration.ofMillis(1));
        advanceMillis(1);
        store().purgeExpired();
        Awaitility.await().until(() -> told.size() == 1);
        assertThat(store().expirySubscribers().get(0).failures()).isZero();
        subscription.close();
    }

    /** What a cipher may do wrong. */
    @SuppressWarnings("ImmutableEnumChecker") // the ciphers have no state
    enum Fault {
        THROWS {
            @Override
            byte[] apply(byte[] bytes) {
                throw new IllegalStateException("of " + PLAIN);
            }
        },
        ANSWERS_NULL {
            @Override
            byte[] apply(byte[] bytes) {
                return nothing();
            }
        };

        abstract byte[] apply(byte[] bytes);
    }

    /** Seals nothing, and does something wrong when it is asked to open, or to seal. */
    private record FaultyCipher(Fault fault, boolean whenSealing) implements ValueCipher {
        @Override
        public byte[] seal(String group, String key, byte[] value) {
            return whenSealing ? fault.apply(value) : value.clone();
        }

        @Override
        public byte[] open(String group, String key, byte[] sealed) {
            return fault.apply(sealed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCipherThatDoesNotWorkIsToldWithoutItsMessageAndNeverTakenForAnUnreadableValue(Fault fault) {
        for (boolean whenSealing : new boolean[] {true, false}) {
            open(settings()
                    .unreadableValues(UnreadableValues.ABSENT)
                    .encrypt(SealedArea::isChosen, new FaultyCipher(fault, whenSealing)));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> {
                        group().put("key", PLAIN);
                        group().get("key");
                    })
                    .isExactlyInstanceOf(StoreException.class)
                    .withNoCause()
                    .withMessageContaining("'group'")
                    .withMessageNotContainingAny(PLAIN, "key");
        }
    }

    @Test
    void aCipherThatCannotSealFailsTheWriteAlone() {
        ValueCipher refusing = new ValueCipher() {
            @Override
            public byte[] seal(String group, String key, byte[] value) throws GeneralSecurityException {
                if (key.equals("bad")) {
                    throw new GeneralSecurityException(PLAIN);
                }
                return cipher.seal(group, key, value);
            }

            @Override
            public byte[] open(String group, String key, byte[] sealed) throws GeneralSecurityException {
                return cipher.open(group, key, sealed);
            }
        };
        open(settings().encrypt(SealedArea::isChosen, refusing));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> group().putAll(Map.of("good", PLAIN, "bad", PLAIN)))
                .withMessageNotContainingAny(PLAIN);
        assertThat(group().count()).isZero();
        group().put("good", PLAIN);
        assertThat(Stream.of("good", "bad").filter(group()::contains)).containsExactly("good");
    }

    @Test
    void nothingIsRefusedWhereACipherIsExpected() {
        assertThatNullPointerException()
                .isThrownBy(() -> settings().encrypt(nothing(), cipher))
                .withMessageContaining("'names'");
        assertThatNullPointerException()
                .isThrownBy(() -> settings().encrypt(SealedArea::isChosen, nothing()))
                .withMessageContaining("'cipher'");
    }
}
