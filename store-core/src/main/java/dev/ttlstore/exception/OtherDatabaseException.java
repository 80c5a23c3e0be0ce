package dev.ttlstore.exception;

import java.io.Serial;

/**
 * The data source of a shared store connects to a database of another kind, to one that is too old, or to one whose encoding lacks
 * characters. The store has not been opened.
 *
 * @since 0.1
 * @see StoreEngineException
 */
public final class OtherDatabaseException extends StoreEngineException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String product;

    /**
     * Creates the exception.
     *
     * @param product the name of the database's product, as its driver reports it
     * @param problem what is wrong
     * @param remedy what to do
     */
    public OtherDatabaseException(String product, String problem, String remedy) {
        super(problem, remedy, null);
        this.product = product;
    }

    /**
     * Returns the name of the database's product.
     *
     * @return the name, as the driver reports it
     */
    public String product() {
        return product;
    }
}
