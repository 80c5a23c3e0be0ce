package dev.ttlstore.serialization;

import java.io.ObjectInputFilter;

import org.jspecify.annotations.Nullable;

/**
 * Checks that a value takes no more memory and time than its bytes account for, while it is deserialized. Each
 * element of an array takes a byte at least, so all arrays together are no longer than the bytes. Java announces each array before it
 * allocates it, and so do its collections: a hash table as an array that has room for its keys. For one value, not thread-safe.
 */
final class ReadLimits implements ObjectInputFilter {

    /** How deep objects may be nested. */
    static final int MAX_DEPTH = 100;

    /** Why bytes are refused that {@link StreamScan#isBearable} finds. */
    static final String UNBEARABLE = "its objects are nested more than " + MAX_DEPTH
            + " times, or keys of its maps and sets cannot be hashed in a short time, because they share large parts or ask the"
            + " network, as a URL does";

    /** A hash table has room for up to eight times its keys. Each key takes at least five bytes. */
    private static final int ROOM = 2;

    private static final int SOME = 1_024;

    private final byte[] bytes;
    private long left;
    private boolean scanned;
    private @Nullable String refusal;

    ReadLimits(byte[] bytes) {
        this.bytes = bytes;
        this.left = SOME + (long) ROOM * bytes.length;
    }

    /** Returns why the value was refused; null unless it exceeds a limit. */
    @Nullable
    String refusal() {
        return refusal;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        if (info.depth() > MAX_DEPTH) {
            return refuse(UNBEARABLE);
        }
        Class<?> type = info.serialClass();
        if (type == null) { // the depth was the question
            return Status.UNDECIDED;
        }
        if (info.arrayLength() >= 0) {
            left -= info.arrayLength() * size(type.getComponentType());
            if (left < 0) {
                return refuse("it declares longer arrays or collections than its bytes can hold");
            }
        }
        if (!scanned && StreamClass.isTable(type.getName())) {
            scanned = true;
            if (!StreamScan.isBearable(bytes)) {
                return refuse(UNBEARABLE);
            }
        }
        return Status.ALLOWED; // the codec has checked it, or an allowed class has returned it in its place
    }

    private static int size(@Nullable Class<?> element) {
        return element != null && element.isPrimitive()
                ? StreamClass.sizeOf(element.descriptorString().charAt(0))
                : 1;
    }

    private Status refuse(String reason) {
        refusal = reason;
        return Status.REJECTED;
    }
}
