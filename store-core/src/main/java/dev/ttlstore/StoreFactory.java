package dev.ttlstore;

/**
 * Opens stores for {@link StoreBuilder#open}, and copies them for {@link StoreCopy#run}. Both find the factory with
 * {@link java.util.ServiceLoader}, so this package depends on no implementation. Applications use {@link
 * Store#builder()} instead.
 *
 * @since 0.1
 * @see StoreBuilder#open()
 * @see StoreCopy#run()
 */
public interface StoreFactory {

    /**
     * Opens a store.
     *
     * @param settings the settings, checked by the builder
     * @return the store
     */
    Store open(StoreSettings settings);

    /**
     * Copies a store.
     *
     * @param settings the settings, checked by {@link StoreCopy}
     * @return the result of the copy
     */
    CopyResult copy(CopySettings settings);
}
