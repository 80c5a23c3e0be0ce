package dev.ttlstore.engine;

import org.jspecify.annotations.Nullable;

/**
 * The data of a store into which another one is copied. From {@link #begin} to {@link #finish} they are marked, and {@link
 * EngineFactory#open} refuses them. Each call is one commit.
 *
 * @since 0.1
 */
public interface CopyTarget extends CopySource {

    /**
     * Returns the source of an unfinished copy.
     *
     * @return the {@linkplain CopySource#place place} of its source; null if there is no unfinished copy
     */
    @Nullable
    String unfinished();

    /**
     * Marks the data as an unfinished copy, and removes what an earlier attempt has copied, except for entries. Another process
     * that copies into the same data fails from now on.
     *
     * @param source the place of the source
     * @throws dev.ttlstore.exception.CopyTargetException if somebody else has filled the data since they were opened
     */
    void begin(String source);

    /**
     * Writes a page. Entries keep their versions and times, and deliveries get new ids.
     *
     * @param page the rows
     */
    void write(CopyPage page);

    /**
     * Makes a store of the copy, which continues after the source, and removes the mark.
     *
     * @param reached how far the source has come
     */
    void finish(HighWater reached);
}
