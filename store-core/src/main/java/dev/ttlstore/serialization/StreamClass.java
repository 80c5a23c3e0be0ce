package dev.ttlstore.serialization;

import java.io.ObjectStreamConstants;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * A class as serialized bytes describe it.
 *
 * @param name the name, as {@link Class#getName} returns it
 * @param flags how its objects are written
 * @param fields the codes of the types of its fields
 * @param parent the class that it extends, if that is serialized, too
 */
record StreamClass(
        String name, byte flags, String fields, @Nullable StreamClass parent) {

    /** Bytes can claim that one class extends a thousand others. */
    static final int MAX_PARENTS = 100;

    /** What {@code java.util.CollSer} writes first for a set and for a map; for a list it is another number. */
    private static final int SET = 2;

    private static final int MAP = 3;

    /** Tests whether objects of a class are, or become, hash tables, whose keys follow in the bytes. */
    static boolean isTable(String name) {
        return switch (name) {
            case "java.util.HashMap",
                    "java.util.HashSet",
                    "java.util.Hashtable",
                    "java.util.CollSer",
                    "java.util.concurrent.ConcurrentHashMap" -> true;
            default -> false;
        };
    }

    boolean isSerializable() {
        return (flags & ObjectStreamConstants.SC_SERIALIZABLE) != 0;
    }

    /** Returns whether the class writes something itself. */
    boolean hasAnnotation() {
        return isSerializable()
                ? (flags & ObjectStreamConstants.SC_WRITE_METHOD) != 0
                : (flags & ObjectStreamConstants.SC_EXTERNALIZABLE) != 0;
    }

    /** Returns the class after those that it extends, in the order of the bytes. */
    Collection<StreamClass> withParents() {
        Deque<StreamClass> all = new ArrayDeque<>();
        for (StreamClass each = this; each != null; each = each.parent) {
            all.addFirst(each);
            if (all.size() > MAX_PARENTS) {
                throw new IllegalArgumentException("a class that extends too many");
            }
        }
        return all;
    }

    /**
     * Returns which of the objects that the class writes itself are keys of a hash table.
     *
     * @param in the bytes
     * @param start where the fields of the object begin
     * @return 1 for all, 2 for every second one, 0 for none
     */
    int keys(ByteBuffer in, int start) {
        if (!isTable(name)) {
            return 0;
        }
        if (name.equals("java.util.CollSer")) {
            int kind = in.getInt(start) & 0xff;
            return kind == SET ? 1 : kind == MAP ? 2 : 0;
        }
        return name.equals("java.util.HashSet") ? 1 : 2;
    }

    /** Returns the size of a primitive type. */
    static int sizeOf(char type) {
        return switch (type) {
            case 'B', 'Z' -> 1;
            case 'C', 'S' -> 2;
            case 'F', 'I' -> 4;
            case 'D', 'J' -> 8;
            default -> throw new IllegalArgumentException("unknown type");
        };
    }
}
