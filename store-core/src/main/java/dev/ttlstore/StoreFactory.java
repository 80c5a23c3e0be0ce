package dev.ttlstore;

/**
 * Opens stores for {@link StoreBuilder#open}, and copies them for {@link StoreCopy#run}. These find it with {@link java.util.ServiceLoader}, so that this package
 * depends on no implementation. Applications use {@link Store#builder()}.
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
     * @return what was copied
     */
    CopyResult copy(CopySettings settings);
}
