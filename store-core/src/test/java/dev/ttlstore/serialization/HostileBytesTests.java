package dev.ttlstore.serialization;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serial;
import java.io.Serializable;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.ByteBuffer;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.ttlstore.exception.CodecException;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whoever can write to a database must not bring down the processes that read it: P24. */
@Timeout(10)
@SuppressWarnings({"IdentityHashMapUsage", "JdkObsolete", "URLEqualsHashCode"}) // what applications may have stored
class HostileBytesTests {

    private static final JavaCodec CODEC =
            new JavaCodec(AllowedClasses.of(List.of("dev.ttlstore.serialization.*", "java.net.URL")), "property", null);

    record Line(String product, List<Object> sizes) implements Serializable {}

    private static void assertRefused(byte[] bytes, String reason) {
        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> CODEC.decode(bytes))
                .withMessageContaining(reason);
    }

    private static byte[] serialized(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(value);
        }
        return bytes.toByteArray();
    }

    /** Returns an array that declares a length, and ends there. */
    private static byte[] array(String type, int length) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream output = new DataOutputStream(bytes)) {
            output.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            output.writeShort(ObjectStreamConstants.STREAM_VERSION);
            output.writeByte(ObjectStreamConstants.TC_ARRAY);
            output.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            output.writeUTF(type);
            output.writeLong(0x782004b512b17593L);
            output.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            output.writeShort(0);
            output.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
            output.writeByte(ObjectStreamConstants.TC_NULL);
            output.writeInt(length);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[J", "[B", "[[J", "[Ljava.lang.Object;", "[Ljava.io.Serializable;"})
    void anArrayIsNoLongerThanItsBytes(String type) throws IOException {
        assertRefused(array(type, Integer.MAX_VALUE), "longer arrays or collections than its bytes can hold");
    }

    static List<Object> collections() {
        Map<String, String> map = Map.of("a", "1", "b", "2", "c", "3");
        return List.of(
                new ArrayList<>(map.keySet()),
                new ArrayDeque<>(map.keySet()),
                new HashMap<>(map),
                new HashSet<>(map.keySet()),
                new LinkedHashMap<>(map),
                new LinkedHashSet<>(map.keySet()),
                new Hashtable<>(map),
                new IdentityHashMap<>(map),
                new PriorityQueue<>(map.keySet()),
                List.copyOf(map.keySet()),
                Set.copyOf(map.keySet()),
                Map.copyOf(map));
    }

    /** Any of its numbers may be its size, so each is made as large as can be. */
    @ParameterizedTest
    @MethodSource("collections")
    void aCollectionIsNoLargerThanItsBytes(Object collection) throws IOException {
        byte[] bytes = serialized(collection);
        assertThat(CODEC.decode(bytes)).isInstanceOf(collection.getClass());
        int refused = 0;
        for (int i = 4; i <= bytes.length - Integer.BYTES; i++) {
            if (ByteBuffer.wrap(bytes).getInt(i) == 3) {
                byte[] larger = bytes.clone();
                ByteBuffer.wrap(larger).putInt(i, Integer.MAX_VALUE - 16);
                try {
                    Object unused = CODEC.decode(larger);
                } catch (CodecException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void arraysWithinArraysAreNoLongerTogetherThanTheirBytes() throws IOException {
        Object[] innermost = new Object[10_000];
        Object[] outer = innermost;
        for (int i = 0; i < 50; i++) {
            outer = new Object[] {outer};
        }
        byte[] honest = serialized(outer);
        ByteBuffer lengths = ByteBuffer.wrap(honest.clone());
        for (int i = 4; i < lengths.capacity() - 10_000; i++) {
            if (lengths.getInt(i) == 1) {
                lengths.putInt(i, 10_000);
            }
        }
        assertRefused(lengths.array(), "longer arrays or collections than its bytes can hold");
    }

    /** Fills a collection with two others, each of which has the same two, and so on: its hash code takes 2 to the 30 visits. */
    private static void fill(Collection<Object> root, Supplier<Collection<Object>> collections) {
        Collection<Object> one = root;
        Collection<Object> other = collections.get();
        for (int i = 0; i < 30; i++) {
            Collection<Object> nextOne = collections.get();
            Collection<Object> nextOther = collections.get();
            nextOne.add("it differs from the other");
            one.add(nextOne);
            one.add(nextOther);
            other.add(nextOne);
            other.add(nextOther);
            one = nextOne;
            other = nextOther;
        }
    }

    private static List<Object> list() {
        return new ArrayList<>();
    }

    static List<Object> bombs() {
        Set<Object> sets = new HashSet<>();
        fill(sets, HashSet::new);
        Set<Object> linked = new LinkedHashSet<>();
        fill(linked, LinkedHashSet::new);
        List<Object> bombs = new ArrayList<>(List.of(sets, linked, List.of(1, sets)));
        for (Function<List<Object>, Object> table : BombTables.ALL) {
            List<Object> key = list();
            bombs.add(table.apply(key)); // hashed while it is empty
            fill(key, LinkedList::new);
        }
        return bombs;
    }

    /** What hashes a key. */
    private static final class BombTables {

        static final List<Function<List<Object>, Object>> ALL = List.of(
                key -> new HashSet<>(List.of(key)),
                key -> new HashSet<>(List.of(new Line("a", key))),
                key -> new HashSet<>(List.of(Collections.unmodifiableList(key))),
                key -> new HashMap<>(Map.of(key, 1)),
                key -> new HashMap<>(Map.of(new AbstractMap.SimpleEntry<>(1, key), 1)),
                key -> new Hashtable<>(Map.of(key, 1)),
                key -> new ConcurrentHashMap<>(Map.of(key, 1)),
                key -> Set.of(key),
                key -> Set.of(key, 1, 2),
                key -> Map.of(key, 1));
    }

    @Test
    void keysThatTakeForEverToHashAreRefused() throws IOException {
        for (Object bomb : bombs()) { // no parameter, which JUnit would turn into text for as long
            assertRefused(serialized(bomb), "cannot be hashed in a short time");
            assertThatExceptionOfType(CodecException.class)
                    .isThrownBy(() -> CODEC.encode(bomb))
                    .withMessageContaining("cannot be hashed in a short time");
        }
    }

    /** Nobody hashes them. */
    @Test
    void valuesMayShareParts() {
        List<Object> shared = list();
        fill(shared, LinkedList::new);
        for (Object value : List.of(
                shared,
                new HashMap<>(Map.of("a", shared)),
                new Hashtable<>(Map.of("a", shared)),
                new ConcurrentHashMap<>(Map.of("a", shared)),
                Map.of("a", shared),
                List.of("a", shared))) {
            assertThat(CODEC.decode(CODEC.encode(value))).isInstanceOf(value.getClass());
        }
    }

    @Test
    void keysMayShareParts() {
        List<Object> sizes = new ArrayList<>(IntStream.range(0, 100).boxed().toList());
        Set<Line> lines = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            lines.add(new Line("product-" + i, sizes));
        }
        assertThat(CODEC.decode(CODEC.encode(lines))).isEqualTo(lines);
    }

    private static Object nested(int depth) {
        List<Object> innermost = list();
        for (int i = 1; i < depth; i++) {
            innermost = new ArrayList<>(List.of(innermost));
        }
        return innermost;
    }

    @Test
    void whatIsNestedTooDeepIsRefusedWhenItIsWritten() throws IOException {
        assertThat(CODEC.decode(CODEC.encode(nested(100)))).isEqualTo(nested(100));
        assertRefused(serialized(nested(101)), "nested more than 100 times");
        for (int depth : List.of(101, 100_000)) {
            Object value = nested(depth);
            assertThatExceptionOfType(CodecException.class).isThrownBy(() -> CODEC.encode(value));
        }
    }

    /** To hash it asks the network for the address of its host. */
    @Test
    void anAddressOfTheNetworkIsNoKey() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        URL url = url(asked);
        for (Object value : List.of(new HashSet<>(List.of(url)), new HashMap<>(Map.of(List.of(url), 1)))) {
            int before = asked.get();
            assertRefused(serialized(value), "ask the network");
            assertThat(asked).hasValue(before);
        }
        Map<String, Object> claims =
                new HashMap<>(Map.of("iss", URI.create("http://localhost").toURL()));
        assertThat(CODEC.decode(CODEC.encode(claims))).isEqualTo(claims);
    }

    private static URL url(AtomicInteger asked) throws MalformedURLException {
        return new URL(null, "http://localhost", new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL address) {
                throw new UnsupportedOperationException();
            }

            @Override
            protected int hashCode(URL address) {
                return asked.incrementAndGet();
            }
        });
    }

    /** With the length of the whole block, the end would be where it began. */
    @Test
    void aBlockOfNegativeLengthIsRefused() throws IOException {
        byte[] bytes = serialized(new ArrayList<>(List.of(new HashSet<>(Set.of("a")), new Noted())));
        int block = bytes.length - 2 - 300 - 5;
        assertThat(bytes[block]).isEqualTo(ObjectStreamConstants.TC_BLOCKDATALONG);
        ByteBuffer.wrap(bytes).putInt(block + 1, -5);
        assertRefused(bytes, "");
    }

    static final class Noted implements Serializable {

        @Serial
        private static final long serialVersionUID = 1;

        @Serial
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.write(new byte[300]);
        }
    }

    @Test
    void bytesThatEndAnywhereAreUnreadable() throws IOException {
        byte[] bytes = serialized(new HashMap<>(Map.of(new Line("a", list()), TimeUnit.DAYS, "b", new int[] {1})));
        for (int length = 0; length < bytes.length; length++) {
            byte[] beginning = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(CodecException.class).isThrownBy(() -> CODEC.decode(beginning));
        }
    }

    @Test
    void bytesThatAreChangedAnywhereAreAnObjectOrUnreadable() throws IOException {
        byte[] bytes = serialized(new HashMap<>(Map.of(new Line("a", list()), TimeUnit.DAYS, "b", new int[] {1})));
        for (int i = 0; i < bytes.length; i++) {
            for (int change : new int[] {1, 0x40, 0xff}) {
                byte[] changed = bytes.clone();
                changed[i] ^= (byte) change;
                try {
                    assertThat(CODEC.decode(changed)).isNotNull();
                } catch (CodecException e) {
                    assertThat(e).hasNoCause();
                }
            }
        }
    }

    /** Each class of a chain says that it extends the one before. */
    @Test
    void aClassThatExtendsThousandsIsRefusedFast() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream output = new DataOutputStream(bytes)) {
            output.writeShort(ObjectStreamConstants.STREAM_MAGIC);
            output.writeShort(ObjectStreamConstants.STREAM_VERSION);
            for (int i = 0; i < 50_000; i++) {
                output.writeByte(ObjectStreamConstants.TC_OBJECT);
                output.writeByte(ObjectStreamConstants.TC_CLASSDESC);
                output.writeUTF("a");
                output.writeLong(1);
                output.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
                output.writeShort(0);
                output.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
                if (i == 0) {
                    output.writeByte(ObjectStreamConstants.TC_NULL);
                } else {
                    output.writeByte(ObjectStreamConstants.TC_REFERENCE);
                    output.writeInt(ObjectStreamConstants.baseWireHandle + 2 * (i - 1));
                }
            }
        }
        assertThat(StreamScan.isBearable(bytes.toByteArray())).isFalse();
    }
}
