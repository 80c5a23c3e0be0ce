package dev.ttlstore;

/**
 * Counts of reads and changes of entries since the store was opened, for one group or for all.
 *
 * @param hits how many reads of an entry found it: {@code get}, {@code entry}, {@code contains}, {@code getAll} of
 *     some keys, and {@code getOrPut}, also in transactions
 * @param misses how many of these reads found no entry, or a value that could not be read
 * @param created how many entries were created
 * @param replaced how many entries got a new value
 * @param deleted how many entries were deleted or taken, one by one or with their group
 * @param expired how many expired entries were removed and published
 * @since 0.1
 * @see StoreActivity
 * @see GroupSettings#withStatistics
 */
public record GroupActivity(long hits, long misses, long created, long replaced, long deleted, long expired) {

    /**
     * Returns how many values were put.
     *
     * @return the number of created and replaced entries
     */
    public long puts() {
        return created + replaced;
    }
}
