package dev.ttlstore;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** Each class that has something to initialize is in a list, so that this happens when a store is opened. Part of {@link ArchitectureTests}, which has read the classes. */
final class EarlyClassesRules {

    private static final String SQLITE = "dev.ttlstore.sqlite";
    private static final String POSTGRESQL = "dev.ttlstore.postgresql";

    /** A class that some compilers make for a switch over an enum, and others do not. */
    private static final Pattern MADE_FOR_A_SWITCH = Pattern.compile("\\$\\d+$");

    private EarlyClassesRules() {}

    /** What a store does not use while it is open. */
    private static final List<String> BESIDE = List.of(
            "dev.ttlstore.cli",
            "dev.ttlstore.export",
            "dev.ttlstore.jcache",
            "dev.ttlstore.kotlin",
            SQLITE,
            POSTGRESQL);

    @ArchTest
    static void theCore(JavaClasses classes) throws IOException {
        assertListed(classes, "internal/store", type -> !BESIDE.contains(type.getPackageName()));
    }

    @ArchTest
    static void theEngineInAFile(JavaClasses classes) throws IOException {
        assertListed(classes, "sqlite", type -> type.getPackageName().equals(SQLITE));
    }

    @ArchTest
    static void theSharedEngine(JavaClasses classes) throws IOException {
        assertListed(classes, "postgresql", type -> type.getPackageName().equals(POSTGRESQL));
    }

    private static void assertListed(JavaClasses classes, String folder, Predicate<JavaClass> belongs)
            throws IOException {
        TreeSet<String> needed = new TreeSet<>();
        for (JavaClass type : classes) {
            if (belongs.test(type) && type.getStaticInitializer().isPresent()) {
                needed.add(type.getName());
            }
        }
        TreeSet<String> listed = new TreeSet<>();
        try (InputStream list =
                requireNonNull(Store.class.getResourceAsStream("/dev/ttlstore/" + folder + "/early-classes.txt"))) {
            new String(list.readAllBytes(), UTF_8)
                    .lines()
                    .filter(name -> name.startsWith("dev."))
                    .filter(name -> classes.contain(name)
                            || !MADE_FOR_A_SWITCH.matcher(name).find())
                    .forEach(listed::add);
        }
        assertThat(listed).as("the names in " + folder + "/early-classes.txt").isEqualTo(needed);
    }
}
