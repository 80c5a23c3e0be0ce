package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/**
 * The version of the engine on the class path is too old, or known to lose or damage data. The store has not been
 * opened.
 *
 * @since 0.1
 * @see StoreEngineException
 */
public final class EngineVersionException extends StoreEngineException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String version;
    private final String firstSafeVersion;

    /**
     * Creates the exception.
     *
     * @param version the version on the class path
     * @param firstSafeVersion the first safe version
     * @param problem what is wrong with the version
     * @param remedy what to do
     * @param cause what failed with this version; null if only its number was checked
     */
    public EngineVersionException(
            String version, String firstSafeVersion, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.version = version;
        this.firstSafeVersion = firstSafeVersion;
    }

    /**
     * Returns the version on the class path.
     *
     * @return the engine's version
     */
    public String version() {
        return version;
    }

    /**
     * Returns the first safe version.
     *
     * @return the engine's version
     */
    public String firstSafeVersion() {
        return firstSafeVersion;
    }
}
