package dev.ttlstore;

/**
 * What has been done to the entries of a group, or of the whole store, since the store was opened.
 *
 * @param hits how many reads of an entry have found it: {@code get}, {@code entry}, {@code contains}, {@code getAll} of some
 *     keys, and {@code getOrPut}, in transactions too
 * @param misses how many such reads have not, or have found a value that could not be read
 * @param created how many entries were created
 * @param replaced how many were given a new value
 * @param deleted how many were deleted or taken, one by one or with their group
 * @param expired how many that had expired were removed, and told of
 */
public record GroupActivity(long hits, long misses, long created, long replaced, long deleted, long expired) {

    /**
     * How many values were put.
     *
     * @return those of new entries, and of others
     */
    public long puts() {
        return created + replaced;
    }
}
