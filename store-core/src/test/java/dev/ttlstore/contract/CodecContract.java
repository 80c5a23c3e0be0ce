package dev.ttlstore.contract;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.Group;
import dev.ttlstore.GroupPattern;
import dev.ttlstore.Keyspace;
import dev.ttlstore.Scope;
import dev.ttlstore.TypeRef;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.exception.MissingCodecException;
import dev.ttlstore.exception.ValueTooLargeException;
import dev.ttlstore.expiry.ExpiredEntry;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Values on their way in and out, and those that do not get through. */
abstract class CodecContract extends ContractArea {

    /** Fails for some values; others are texts. */
    private static final Codec<String> BROKEN = new Codec<>() {
        @Override
        public byte[] encode(String value) {
            return switch (value) {
                case "encode throws" -> throw new IllegalStateException("broken");
                case "encode refuses" -> throw new CodecException("refused");
                case "encode answers null" -> nothing();
                default -> Codec.text().encode(value);
            };
        }

        @Override
        public String decode(byte[] bytes) {
            String value = Codec.text().decode(bytes);
            return switch (value) {
                case "decode throws" -> throw new IllegalStateException("broken");
                case "decode refuses" -> throw new CodecException("refused");
                case "decode answers null" -> nothing();
                default -> value;
            };
        }
    };

    static List<String> texts() {
        return List.of("", " ", "text", "é€🔑", "\uFFFD", "a\0b", "line\nline", "\uFEFFx");
    }

    /** Knows lists of texts, and nothing else. */
    private static final CodecFactory LISTS = new CodecFactory() {
        @Override
        public <V> @Nullable Codec<V> codec(Class<V> type) {
            return null;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <V> @Nullable Codec<V> codec(TypeRef<V> type) {
            return type.equals(new TypeRef<List<String>>() {}) ? (Codec<V>) COMMAS : null;
        }
    };

    private static final Codec<List<String>> COMMAS = new Codec<>() {
        @Override
        public byte[] encode(List<String> value) {
            return Codec.text().encode(String.join(",", value));
        }

        @Override
        public List<String> decode(byte[] bytes) {
            return List.of(Codec.text().decode(bytes).split(",", -1));
        }
    };

    @Test
    void aGenericTypeHasItsCodec() {
        open(settings().codecs(LISTS));
        Group<List<String>> lists = store().group("lists", new TypeRef<List<String>>() {});
        lists.put("key", List.of("a", "b"));
        assertThat(lists.get("key")).contains(List.of("a", "b"));
        assertThat(store().group("lists").get("key")).contains("a,b");
        List<String> inside = store().transact(tx ->
                tx.group("lists", new TypeRef<List<String>>() {}).take("key").orElseThrow());
        assertThat(inside).containsExactly("a", "b");
        Group<String> texts = store().group("texts", new TypeRef<String>() {});
        texts.put("key", "value");
        assertThat(store().group("texts").get("key")).contains("value");
        assertThatExceptionOfType(MissingCodecException.class)
                .isThrownBy(() -> store().group("other", new TypeRef<List<Long>>() {}))
                .withMessageContaining("java.util.List<java.lang.Long>");
    }

    @Test
    @Promise({17, 18})
    void aHandlerOfExpiriesTakesAGenericType() {
        open(settings().codecs(LISTS));
        TypeRef<List<String>> type = new TypeRef<>() {};
        List<ExpiredEntry<List<String>>> told = new CopyOnWriteArrayList<>();
        List<ExpiredEntry<Void>> without = new CopyOnWriteArrayList<>();
        Scope scope = store().scope("acme");
        store().onExpired("one", "lists", type, told::add);
        store().onExpiredPrefix("several", "li", type, told::add);
        scope.onExpired("one", "lists", type, told::add);
        scope.onExpiredPrefix("several", "li", type, told::add);
        store().onExpiredMatching("each", new GroupPattern("*:lists"), type, told::add);
        store().onExpired("none", "lists", new TypeRef<Void>() {}, without::add);
        for (Keyspace keyspace : List.of(store(), scope)) {
            keyspace.group("lists", type).put("key", List.of("a", "b"), Duration.ofSeconds(1));
        }
        advanceMillis(1_000);
        store().purgeExpired();
        await().untilAsserted(() -> {
            assertThat(told)
                    .extracting(ExpiredEntry::group)
                    .containsExactlyInAnyOrder("lists", "lists", "lists", "lists", "acme:lists");
            assertThat(without).hasSize(1);
        });
        assertThat(told).extracting(ExpiredEntry::value).containsOnly(List.of("a", "b"));
    }

    @Test
    void aHandlerOfExpiriesNeedsTheCodecOfItsGenericType() {
        open(settings().codecs(LISTS));
        TypeRef<List<Long>> type = new TypeRef<>() {};
        assertThatExceptionOfType(MissingCodecException.class)
                .isThrownBy(() -> store().onExpired("mail", "group", type, entry -> {}))
                .withMessageContaining("java.util.List<java.lang.Long>");
        assertThat(store().expirySubscribers()).isEmpty();
    }

    private static <T> TypeRef<T> ofAVariable() {
        return new TypeRef<T>() {};
    }

    private static <T> TypeRef<Map<String, List<? extends T[]>>> ofANestedVariable() {
        return new TypeRef<Map<String, List<? extends T[]>>>() {};
    }

    @SuppressWarnings({"ClassCanBeStatic", "UnusedTypeParameter"}) // as in the code of somebody who gets it wrong
    static final class Box<T> {

        private final class Item {}

        TypeRef<?> ofItems() {
            return new TypeRef<Item>() {};
        }

        TypeRef<?> ofListsOfItems() {
            return new TypeRef<List<Item>>() {};
        }
    }

    @Test
    void theClassAroundATypeMustBeKnownToo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Box<String>().ofItems())
                .withMessageContaining("variable T");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Box<String>().ofListsOfItems())
                .withMessageContaining("variable T");
        assertThat(new TypeRef<Box<String>.Item>() {}.type()).isNotNull();
        assertThat(new TypeRef<Map.Entry<String, Long>>() {}.type()).isNotNull();
    }

    @Test
    void aTypeMustBeKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(CodecContract::ofANestedVariable)
                .withMessageContaining("variable T");
        assertThat(new TypeRef<Map<String, List<? extends String[]>>>() {}.type())
                .isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(CodecContract::ofAVariable)
                .withMessageContaining("variable");
        assertThat(new TypeRef<List<String>>() {})
                .isEqualTo(new TypeRef<List<String>>() {})
                .hasSameHashCodeAs(new TypeRef<List<String>>() {})
                .isNotEqualTo(new TypeRef<List<Long>>() {})
                .hasToString("java.util.List<java.lang.String>");
    }

    @ParameterizedTest
    @MethodSource("texts")
    @Promise(12)
    void aTextComesBackAsItWas(String value) {
        group().put("key", value);
        assertThat(group().get("key")).contains(value);
        assertThat(group().getAll()).containsEntry("key", value);
        assertThat(group().take("key")).contains(value);
    }

    @Test
    @Promise(12)
    void aTextWithHalfASurrogatePairIsRefusedRatherThanChanged() {
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> group().put("key", "a\uD83Db"));
        assertThat(group().contains("key")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void aNumberComesBackAsItWas(Long value) {
        store().group("numbers", Long.class).put("key", value);
        assertThat(store().group("numbers", Long.class).get("key")).contains(value);
        assertThat(store().group("numbers").get("key")).contains(value.toString());
    }

    @Test
    void bytesComeBackAsTheyWereWhateverTheCallerDoesToTheArray() {
        Group<byte[]> bytes = store().group("bytes", byte[].class);
        byte[] value = {0, 1, -1, 127, -128};
        bytes.put("key", value);
        value[0] = 42;
        byte[] read = bytes.get("key").orElseThrow();
        assertThat(read).containsExactly(0, 1, -1, 127, -128);
        read[0] = 42;
        assertThat(bytes.get("key").orElseThrow()).containsExactly(0, 1, -1, 127, -128);
    }

    @Test
    void bytesThatAreNoTextOrNumberAreRefusedAndNotGuessed() {
        store().group("group", byte[].class).put("key", new byte[] {-1, -2});
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> group().get("key"));
        group().put("key", "no number");
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> store().group("group", Long.class).get("key"));
    }

    @Test
    void aClassWithoutACodecIsRefusedByName() {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> store().group("group", Thread.class))
                .withMessageContaining("java.lang.Thread");
    }

    @Test
    void theStoresFactoryIsAskedForOtherClasses() {
        open(settings().codecs(new DurationCodecs()));
        Group<Duration> durations = store().group("durations", Duration.class);
        durations.put("key", Duration.ofMinutes(5));
        assertThat(durations.get("key")).contains(Duration.ofMinutes(5));
        assertThat(store().group("durations", String.class).get("key")).contains("PT5M");
    }

    @ParameterizedTest
    @ValueSource(strings = {"encode throws", "encode refuses", "encode answers null"})
    void aValueThatCannotBeEncodedIsNotWritten(String value) {
        Group<String> broken = store().group("group", BROKEN);
        broken.put("key", "before");
        Recorder recorder = record();
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.put("key", value));
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.add(value));
        assertThat(broken.getAll()).containsOnlyKeys("key").containsValue("before");
        assertThat(recorder.events()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"decode throws", "decode refuses", "decode answers null"})
    void aValueThatCannotBeDecodedIsRefusedAndTakeDoesNotLoseIt(String value) {
        Group<String> broken = store().group("group", BROKEN);
        broken.put("key", value);
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.get("key"));
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.entry("key"));
        assertThatExceptionOfType(CodecException.class).isThrownBy(broken::getAll);
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.take("key"));
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.takeEntry("key"));
        assertThatExceptionOfType(CodecException.class).isThrownBy(() -> broken.getAndPutIfAbsent("key", "x"));
        assertThat(broken.contains("key")).isTrue();
        assertThat(group().take("key")).contains(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"encode throws", "decode throws"})
    void whatACodecThrowsIsNotPassedOnForItMayQuoteTheValue(String value) {
        Group<String> broken = store().group("group", BROKEN);
        group().put("key", value);
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> broken.put("key", broken.get("key").orElseThrow()))
                .withNoCause()
                .withMessageContaining("java.lang.IllegalStateException")
                .withMessageNotContaining("broken");
    }

    @Test
    @Promise(10)
    void aValueThatIsPutWhileATakeDecodesTheOneBeforeItIsTheOneThatIsTaken() {
        Codec<String> interrupted = new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return Codec.text().encode(value);
            }

            @Override
            public String decode(byte[] bytes) {
                String value = Codec.text().decode(bytes);
                if (value.equals("first")) {
                    group().put("key", "second");
                }
                return value;
            }
        };
        group().put("key", "first");
        assertThat(store().group("group", interrupted).take("key")).contains("second");
        assertThat(group().contains("key")).isFalse();
    }

    @Test
    void anEntryThatCannotBeDecodedCanBeDeletedAndOverwritten() {
        Group<String> broken = store().group("group", BROKEN);
        broken.put("key", "decode throws");
        broken.put("key", "good");
        assertThat(broken.get("key")).contains("good");
        broken.put("key", "decode throws");
        assertThat(broken.delete("key")).isTrue();
    }

    @Test
    @Promise(12)
    void aValueOfTheMaximumSizeIsAcceptedAndAByteMoreIsNot() {
        open(settings().maxValueSize(10));
        group().put("key", "1234567890");
        Recorder recorder = record();

        assertThatExceptionOfType(ValueTooLargeException.class)
                .isThrownBy(() -> group().put("key", "12345678901"))
                .satisfies(refusal -> assertThat(refusal.size()).isEqualTo(11))
                .satisfies(refusal -> assertThat(refusal.maxSize()).isEqualTo(10))
                .withMessageContaining("'maxValueSize'");
        assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(() -> group().add("ééééé1"));

        assertThat(group().getAll()).containsOnlyKeys("key").containsValue("1234567890");
        assertThat(recorder.events()).isEmpty();
    }

    @Test
    @Promise(12)
    void theMaximumSizeIsAMebibyteUnlessSet() {
        String mebibyte = "x".repeat(1_048_576);
        group().put("key", mebibyte);
        assertThat(group().get("key")).contains(mebibyte);
        assertThatExceptionOfType(ValueTooLargeException.class).isThrownBy(() -> group().put("key", mebibyte + "x"));
    }

    private static final class DurationCodecs implements CodecFactory {

        @Override
        @SuppressWarnings("unchecked") // the class has just been compared
        public <V> @Nullable Codec<V> codec(Class<V> type) {
            return type == Duration.class ? (Codec<V>) new DurationCodec() : null;
        }
    }

    private static final class DurationCodec implements Codec<Duration> {

        @Override
        public byte[] encode(Duration value) {
            return Codec.text().encode(value.toString());
        }

        @Override
        public Duration decode(byte[] bytes) {
            return Duration.parse(Codec.text().decode(bytes));
        }
    }
}
