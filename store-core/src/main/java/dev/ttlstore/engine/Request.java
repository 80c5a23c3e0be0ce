package dev.ttlstore.engine;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one caller wants to be written: operations, which are done in their order, all or none. Operations whose conditions do not hold
 * do nothing, and do not keep the others from being done; a check does. If an operation throws, or the request exceeds a quota, nothing is done, and the
 * caller gets the exception. Other requests of the same commit are not affected.
 *
 * @param checks what must hold before the first operation, so that any is done
 * @param operations the operations; none for a request that only waits for its turn
 * @since 0.1
 */
public record Request(List<Check> checks, List<Operation> operations) {

    /** Does nothing. It is committed after the requests that were queued before it. */
    public static final Request NOTHING = all(List.of());

    /**
     * Something that must hold.
     *
     * @param key the name of a row
     * @param condition what must hold of it
     */
    public record Check(RowKey key, Condition condition) {}

    /**
     * Requests one operation.
     *
     * @param operation the operation
     * @return the request
     */
    public static Request of(Operation operation) {
        return all(List.of(operation));
    }

    /**
     * Requests operations.
     *
     * @param operations the operations
     * @return the request
     */
    public static Request all(List<Operation> operations) {
        return new Request(List.of(), operations);
    }

    /**
     * Requests the same for several rows.
     *
     * @param keys the names of the rows
     * @param condition what must hold of each
     * @param effect what happens to each row that meets the condition
     * @return the request
     */
    public static Request each(Collection<RowKey> keys, Condition condition, Effect effect) {
        return all(
                keys.stream().map(key -> new Operation(key, condition, effect)).toList());
    }

    /**
     * Returns the rows that the request looks at.
     *
     * @return their names, each once
     */
    public Collection<RowKey> keys() {
        if (checks.isEmpty() && operations.size() == 1) {
            return List.of(operations.get(0).key());
        }
        Set<RowKey> keys = new LinkedHashSet<>(2 * (checks.size() + operations.size()));
        addKeys(keys);
        return keys;
    }

    /** Adds the rows that the request looks at. */
    void addKeys(Set<RowKey> keys) {
        checks.forEach(check -> keys.add(check.key()));
        for (int i = 0; i < operations.size(); i++) { // called for each write of a batch, so without an iterator
            keys.add(operations.get(i).key());
        }
    }

    /**
     * Returns how much memory the values take that the request holds. Requests share a commit only as long as it is not too large, and
     * wait only as long as there is room for them.
     *
     * @return the number of bytes; 0 if there are none
     */
    public long bytes() {
        long bytes = 0;
        for (int i = 0; i < operations.size(); i++) { // called for each write, so without an iterator
            bytes += operations.get(i).bytes();
        }
        return bytes;
    }
}
