package dev.ttlstore.exception;

import java.io.Serial;

import org.jspecify.annotations.Nullable;

/** The version of the engine on the class path is too old, or known to lose or damage data. Nothing has been opened. */
public final class EngineVersionException extends StoreEngineException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String version;
    private final String firstSafeVersion;

    /**
     * Creates the exception.
     *
     * @param version the version that is there
     * @param firstSafeVersion the first one that is safe
     * @param problem what is wrong with it
     * @param remedy what to do
     * @param cause what the version could not do; null if it was asked for its number
     */
    public EngineVersionException(
            String version, String firstSafeVersion, String problem, String remedy, @Nullable Throwable cause) {
        super(problem, remedy, cause);
        this.version = version;
        this.firstSafeVersion = firstSafeVersion;
    }

    /**
     * The version that is there.
     *
     * @return the engine's version
     */
    public String version() {
        return version;
    }

    /**
     * The first version that is safe.
     *
     * @return the engine's version
     */
    public String firstSafeVersion() {
        return firstSafeVersion;
    }
}
