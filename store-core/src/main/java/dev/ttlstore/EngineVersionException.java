package dev.ttlstore;

import java.io.Serial;

/** The version of the engine on the class path is known to lose or damage data. Nothing has been opened. */
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
     */
    public EngineVersionException(String version, String firstSafeVersion, String problem, String remedy) {
        super(problem, remedy, null);
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
