package dev.ttlstore.engine;

/**
 * Opens an engine; found with {@link java.util.ServiceLoader}, so that the API needs to know no engine by name.
 */
public interface EngineProvider {

    /**
     * Whether this provider's engine can do what is asked.
     *
     * @param settings what the store asks for
     * @return true if {@link #open(EngineSettings)} may be called with these settings
     */
    boolean supports(EngineSettings settings);

    /**
     * Opens the engine, checks what it opens, and creates what is missing.
     *
     * @param settings what the store asks for
     * @return the opened engine
     */
    Engine open(EngineSettings settings);
}
