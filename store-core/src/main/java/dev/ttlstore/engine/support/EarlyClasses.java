package dev.ttlstore.engine.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Initializes classes when a store is opened. If a class is initialized at its first use, and there is no memory for that, it can never
 * be used again in its process: what needs it fails for good, although there is memory again. A list beside the code names each class
 * that has something to initialize, and those of the JDK and of libraries that are first used later. Thread-safe.
 *
 * @since 0.1
 */
public final class EarlyClasses {

    private static final Logger log = LoggerFactory.getLogger(EarlyClasses.class);

    /** The resource with the name of one class in each line. */
    private static final String LIST = "early-classes.txt";

    private static final Set<String> DONE = ConcurrentHashMap.newKeySet();

    private EarlyClasses() {}

    /** Compared with another one, so that the JDK initializes what it compares records with, whichever its classes are. */
    private record Sample(String text, long number, int small, boolean flag) {}

    /**
     * Initializes the classes of the list in a package, unless that was done. Leaves out those that are not there, or lack a library: nobody uses them.
     *
     * @param beside a class in that package
     */
    public static void initialize(Class<?> beside) {
        String key = beside.getPackageName();
        if (DONE.contains(key)) {
            return;
        }
        try (InputStream stream = beside.getResourceAsStream(LIST)) {
            if (stream != null) { // it may have been left out when the application was packed
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                        .lines()
                        .forEach(name -> initialize(name, beside.getClassLoader()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Set<Sample> unused = Set.of(new Sample("", 0, 0, true), new Sample(key, 1, 1, false));
        DONE.add(key);
    }

    private static void initialize(String name, ClassLoader loader) {
        try {
            Class<?> unused = Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            log.trace("{} is not used here", name, e);
        }
    }
}
