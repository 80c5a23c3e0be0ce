package dev.ttlstore.serialization;

import java.io.ObjectStreamConstants;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads serialized bytes by their grammar, and creates none of their objects: which classes they name, and what it would cost to fill
 * their hash tables. To fill one calls {@code hashCode} of each key, which visits all that the key consists of, and what two parts
 * share twice; so a set of sets, nested thirty times, takes minutes to read, and fits in a kilobyte. The grammar is chapter 6 of the
 * Java Object Serialization Specification. Not thread-safe.
 */
final class StreamScan {

    /** The most visits that hash tables may cost. An honest value costs fewer than it has bytes, unless its keys share large parts. */
    static final long BEARABLE = 10_000_000;

    /** Stand for what is hashed by its parts, and made after them. */
    static final Set<String> STAND_INS = Set.of(PlainOptional.class.getName(), PlainRecord.class.getName());

    /** Added to the weight of what asks the network when it is hashed. */
    private static final long ASKS = 1L << 62;

    private final ByteBuffer in;

    /** What has a handle: its class if it is one, and its weight. */
    private final List<@Nullable StreamClass> classes = new ArrayList<>();

    private long[] weights = new long[64];
    private long cost;
    private int depth;
    private int parents;

    /** The names of classes whose objects are made after their parts. */
    private final Set<String> madeLast;

    /** The handles of such objects whose parts are being read. */
    private final BitSet unmade = new BitSet();

    private boolean wellFormed;
    private boolean cyclic;

    private StreamScan(byte[] bytes, Set<String> madeLast) {
        this.in = ByteBuffer.wrap(bytes);
        this.madeLast = madeLast;
    }

    /**
     * Reads bytes.
     *
     * @param madeLast the names of classes whose objects are made after their parts
     */
    static StreamScan of(byte[] bytes, Set<String> madeLast) {
        StreamScan scan = new StreamScan(bytes, madeLast);
        scan.wellFormed = scan.isWellFormed();
        return scan;
    }

    /**
     * Tests whether objects can be made of the bytes: they are well-formed and not nested too deep, and their hash tables can be
     * filled in a short time, without asking the network.
     */
    static boolean isBearable(byte[] bytes) {
        return of(bytes, Set.of()).isBearable();
    }

    boolean isBearable() {
        return wellFormed && cost <= BEARABLE;
    }

    /** Tests whether a part of an object that is made after its parts refers to it. */
    boolean isCyclic() {
        return cyclic;
    }

    /** Returns the names of the classes that the bytes describe, as far as they are well-formed. */
    static Set<String> classNames(byte[] bytes) {
        StreamScan scan = of(bytes, Set.of());
        Set<String> names = new LinkedHashSet<>();
        for (StreamClass each : scan.classes) {
            if (each != null) {
                names.add(each.name());
            }
        }
        return names;
    }

    private boolean isWellFormed() {
        try {
            if (in.getShort() != ObjectStreamConstants.STREAM_MAGIC
                    || in.getShort() != ObjectStreamConstants.STREAM_VERSION) {
                return false;
            }
            while (in.hasRemaining()) {
                long unused = content();
            }
            return true;
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return false; // the bytes end too early, or contradict themselves
        }
    }

    /** Reads an object, and returns its weight: how many objects its hash code visits at most. */
    private long content() {
        if (++depth > ReadLimits.MAX_DEPTH) {
            throw new IllegalArgumentException("too deep");
        }
        byte tag = in.get();
        long weight =
                switch (tag) {
                    case ObjectStreamConstants.TC_NULL -> 1;
                    case ObjectStreamConstants.TC_REFERENCE -> reference();
                    case ObjectStreamConstants.TC_STRING -> leaf(Short.toUnsignedInt(in.getShort()));
                    case ObjectStreamConstants.TC_LONGSTRING -> leaf(in.getLong());
                    case ObjectStreamConstants.TC_ENUM -> constant();
                    case ObjectStreamConstants.TC_CLASS -> literal();
                    case ObjectStreamConstants.TC_ARRAY -> array();
                    case ObjectStreamConstants.TC_OBJECT -> object();
                    default -> throw new IllegalArgumentException("unknown");
                };
        depth--;
        return weight;
    }

    private int handle() {
        return in.getInt() - ObjectStreamConstants.baseWireHandle;
    }

    private long reference() {
        int handle = handle();
        cyclic |= unmade.get(handle);
        return weights[handle];
    }

    private int assign(@Nullable StreamClass type) {
        int handle = classes.size();
        classes.add(type);
        if (handle == weights.length) {
            weights = Arrays.copyOf(weights, 2 * handle);
        }
        weights[handle] = 1; // until it is known: what refers to itself is not visited again
        return handle;
    }

    private void skip(long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(in.position() + (int) bytes);
    }

    private long leaf(long length) {
        int unused = assign(null);
        skip(length);
        return 1;
    }

    private long constant() {
        StreamClass unused = classDescription();
        int handle = assign(null);
        long weight = content();
        weights[handle] = weight;
        return weight;
    }

    private long literal() {
        StreamClass unused = classDescription();
        int unusedHandle = assign(null);
        return 1;
    }

    private long array() {
        StreamClass type = classDescription();
        int handle = assign(null);
        int length = in.getInt();
        char element = type == null ? ' ' : type.name().charAt(1);
        long weight = 1;
        if (element == 'L' || element == '[') {
            for (int i = 0; i < length; i++) {
                weight = sum(weight, content());
            }
        } else {
            skip((long) length * StreamClass.sizeOf(element));
        }
        weights[handle] = weight;
        return weight;
    }

    private long object() {
        StreamClass type = classDescription();
        int handle = assign(null);
        if (type == null) {
            throw new IllegalArgumentException("an object without a class");
        }
        long weight = type.name().equals("java.net.URL") ? 1 | ASKS : 1;
        unmade.set(handle, madeLast.contains(type.name()));
        for (StreamClass part : type.withParents()) {
            weight = sum(weight, part(part));
        }
        unmade.clear(handle);
        if (!type.name().startsWith("java.") && !STAND_INS.contains(type.name())) {
            weight &= ~ASKS; // a class of its own may look at the text of the address, as those of Spring Security do
        }
        weights[handle] = weight;
        return weight;
    }

    /** Reads what an object has of one of its classes. */
    private long part(StreamClass type) {
        long weight = 0;
        int start = in.position();
        if (type.isSerializable()) {
            for (int i = 0; i < type.fields().length(); i++) {
                char field = type.fields().charAt(i);
                if (field == 'L' || field == '[') {
                    weight = sum(weight, content());
                } else {
                    skip(StreamClass.sizeOf(field));
                }
            }
        }
        return type.hasAnnotation() ? sum(weight, annotation(type.keys(in, start))) : weight;
    }

    /**
     * Reads what the class has written itself.
     *
     * @param keys which of the objects are keys of a hash table: each such one; 0 if none is
     */
    private long annotation(int keys) {
        long weight = 0;
        for (int count = 0; in.get(in.position()) != ObjectStreamConstants.TC_ENDBLOCKDATA; ) {
            byte tag = in.get(in.position());
            if (tag == ObjectStreamConstants.TC_BLOCKDATA) {
                skip(2 + Byte.toUnsignedInt(in.get(in.position() + 1)));
            } else if (tag == ObjectStreamConstants.TC_BLOCKDATALONG) {
                skip(1);
                skip(in.getInt());
            } else {
                long child = content();
                weight = sum(weight, child);
                if (keys > 0 && count++ % keys == 0) {
                    cost = sum(cost, (child & ASKS) == 0 ? child : BEARABLE + 1);
                }
            }
        }
        skip(1);
        return weight;
    }

    /** Adds weights, up to more than what is bearable. */
    private static long sum(long a, long b) {
        return Math.min((a & ~ASKS) + (b & ~ASKS), BEARABLE + 1) | (a & ASKS) | (b & ASKS);
    }

    private @Nullable StreamClass classDescription() {
        byte tag = in.get();
        if (tag == ObjectStreamConstants.TC_NULL) {
            return null;
        } else if (tag == ObjectStreamConstants.TC_REFERENCE) {
            return classes.get(handle());
        } else if (tag != ObjectStreamConstants.TC_CLASSDESC) {
            throw new IllegalArgumentException("no class, or one of a proxy, which is never read");
        }
        if (++parents > StreamClass.MAX_PARENTS) {
            throw new IllegalArgumentException("a class that extends too many");
        }
        String name = text();
        skip(Long.BYTES);
        int handle = assign(null);
        byte flags = in.get();
        StringBuilder fields = new StringBuilder();
        for (int left = Short.toUnsignedInt(in.getShort()); left > 0; left--) {
            fields.append(field());
        }
        if (in.get() != ObjectStreamConstants.TC_ENDBLOCKDATA) {
            throw new IllegalArgumentException("a class with annotations, which are never written");
        }
        StreamClass described = new StreamClass(name, flags, fields.toString(), classDescription());
        classes.set(handle, described);
        parents--;
        return described;
    }

    /** Reads the description of a field, and returns the code of its type. */
    private char field() {
        char type = (char) in.get();
        String unused = text();
        if (type == 'L' || type == '[') {
            byte tag = in.get();
            if (tag == ObjectStreamConstants.TC_STRING) {
                long unusedLeaf = leaf(Short.toUnsignedInt(in.getShort()));
            } else {
                skip(Integer.BYTES);
            }
        }
        return type;
    }

    private String text() {
        byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return new String(bytes, UTF_8);
    }
}
