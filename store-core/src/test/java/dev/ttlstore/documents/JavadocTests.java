package dev.ttlstore.documents;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The Javadoc of the types that applications use. */
class JavadocTests extends JavadocRules {

    private static final List<String> PACKAGES = List.of(
            "dev.ttlstore.*",
            "dev.ttlstore.event.*",
            "dev.ttlstore.exception.*",
            "dev.ttlstore.expiry.*",
            "dev.ttlstore.postgresql.*",
            "dev.ttlstore.sqlite.*",
            "java.net.URI",
            "java.nio.ByteBuffer",
            "java.nio.charset.StandardCharsets",
            "java.nio.file.*",
            "java.security.*",
            "java.time.*",
            "java.util.*",
            "java.util.concurrent.*",
            "java.util.function.*",
            "java.util.stream.*",
            "javax.cache.*",
            "javax.cache.configuration.*",
            "javax.cache.spi.*",
            "javax.crypto.*",
            "javax.crypto.spec.*");

    private static final Set<String> WITHOUT_EXAMPLE = Set.of();

    /** Exceptions, the command line, and what authors of engines and of frameworks for transactions use. */
    private static final Pattern NOT_FOR_APPLICATIONS = Pattern.compile("dev\\.ttlstore\\."
            + "(?:(?:exception|cli|engine|transaction)\\..*|StoreFactory|sqlite\\.SqliteEngineProvider)");

    JavadocTests() {
        super(PACKAGES, WITHOUT_EXAMPLE, NOT_FOR_APPLICATIONS);
    }
}
