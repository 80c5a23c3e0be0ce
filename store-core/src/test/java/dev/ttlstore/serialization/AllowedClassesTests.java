package dev.ttlstore.serialization;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Permission;
import java.security.PermissionCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinTask;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Which classes are allowed. */
class AllowedClassesTests {

    private static final AllowedClasses OF_JAVA = AllowedClasses.of(List.of());

    /** The packages of Java whose objects may be values. */
    private static final Pattern OF_VALUES = Pattern.compile(
            "java\\.(io|lang|math|net|sql|text|time(\\.\\w+)*|util|util\\.(concurrent(\\.\\w+)?|regex))");

    /** What can be serialized there, and nobody may read: it runs code, asks the network, or is a tool and no value. */
    private static final Set<String> REFUSED = Set.of(
            "java.io.ExpiringCache$1",
            "java.io.ObjectStreamClass",
            "java.io.ObjectStreamClass$DeserializationConstructorsCache",
            "java.lang.Class", // a class is written by its description, of which the filter learns
            "java.lang.StackTraceElement", // of exceptions, which sessions may have
            "java.net.DatagramSocket$1",
            "java.net.URL",
            "java.net.UnixDomainSocketAddress",
            "java.net.UnixDomainSocketAddress$Ser",
            "java.text.AttributedCharacterIterator$Attribute",
            "java.text.ChoiceFormat",
            "java.text.CompactNumberFormat",
            "java.text.DateFormat$Field",
            "java.text.DateFormatSymbols",
            "java.text.DecimalFormat",
            "java.text.DecimalFormatSymbols",
            "java.text.Format$Field",
            "java.text.ListFormat",
            "java.text.MessageFormat",
            "java.text.MessageFormat$Field",
            "java.text.NumberFormat$Field",
            "java.text.SimpleDateFormat",
            "java.util.EventObject",
            "java.util.Random",
            "java.util.Random$RandomWrapper",
            "java.util.concurrent.CountDownLatch$Sync",
            "java.util.concurrent.Semaphore",
            "java.util.concurrent.Semaphore$FairSync",
            "java.util.concurrent.Semaphore$NonfairSync",
            "java.util.concurrent.SynchronousQueue",
            "java.util.concurrent.SynchronousQueue$FifoWaitQueue",
            "java.util.concurrent.SynchronousQueue$LifoWaitQueue",
            "java.util.concurrent.SynchronousQueue$Transferer",
            "java.util.concurrent.SynchronousQueue$WaitQueue",
            "java.util.concurrent.ThreadLocalRandom",
            "java.util.concurrent.ThreadLocalRandom$ThreadLocalRandomProxy",
            "java.util.concurrent.ThreadPoolExecutor$Worker",
            "java.util.regex.Pattern");

    enum Size {
        SMALL,
        LARGE {
            @Override
            public String toString() {
                return "large";
            }
        }
    }

    /** So that no class is forgotten, and a new one of a later Java is noticed. */
    @Test
    void allThatJavaCanSerializeIsEitherAllowedOrRefusedOnPurpose() throws IOException {
        List<String> undecided = serializableClassesOfJava().stream()
                .filter(type -> OF_JAVA.contains(type) == REFUSED.contains(type.getName()))
                .map(Class::getName)
                .toList();
        assertThat(undecided).isEmpty();
    }

    private static List<Class<?>> serializableClassesOfJava() throws IOException {
        List<Class<?>> all = new ArrayList<>();
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
        for (String folder : List.of("java.base/java", "java.sql/java")) {
            try (Stream<Path> files = Files.walk(modules.resolve(folder))) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    if (file.toString().endsWith(".class")) {
                        String path = modules.relativize(file).toString();
                        String name = path.substring(path.indexOf('/') + 1, path.length() - ".class".length())
                                .replace('/', '.');
                        if (OF_VALUES
                                .matcher(name.substring(0, name.lastIndexOf('.')))
                                .matches()) {
                            Class<?> type = forName(name);
                            if (holdsValues(type)) {
                                all.add(type);
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    private static Class<?> forName(String name) {
        try {
            return Class.forName(name, false, AllowedClassesTests.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean holdsValues(Class<?> type) {
        return Serializable.class.isAssignableFrom(type)
                && !Throwable.class.isAssignableFrom(type)
                && !Permission.class.isAssignableFrom(type)
                && !PermissionCollection.class.isAssignableFrom(type)
                && !ForkJoinTask.class.isAssignableFrom(type)
                && !Modifier.isAbstract(type.getModifiers())
                && !type.isSynthetic();
    }

    @Test
    @SuppressWarnings("GetClassOnEnum") // a constant with a body has a class of its own
    void interfacesAndEnumsAreAllowedWhereverTheyAreFrom() {
        for (Class<?> type : List.of(
                Serializable[].class,
                Comparable[][].class,
                Runnable.class,
                Size.class,
                Size[].class,
                Size.LARGE.getClass(),
                int.class,
                int[].class,
                Override.class)) {
            assertThat(OF_JAVA.contains(type)).as(type.getName()).isTrue();
        }
        assertThat(OF_JAVA.contains(AllowedClassesTests.class)).isFalse();
        assertThat(OF_JAVA.contains(AllowedClassesTests[].class)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.ttlstore.serialization.AllowedClassesTests",
                "dev.ttlstore.serialization.*",
                "dev.ttlstore.**",
                "dev.ttlstore.serialization.**"
            })
    void aPatternIsAClassOrAPackageOrWhatIsBelowIt(String pattern) {
        AllowedClasses allowed = AllowedClasses.of(List.of(pattern));
        assertThat(allowed.contains(AllowedClassesTests.class)).isTrue();
        assertThat(allowed.contains(AllowedClassesTests[].class)).isTrue();
        assertThat(allowed.names(AllowedClassesTests.class)).isEqualTo(!pattern.contains("*"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"dev.ttlstore.*", "dev.ttlstore.serial.**", "dev.ttlstore.serialization.AllowedClassesTest"})
    void aPatternIsNoBeginningOfAName(String pattern) {
        assertThat(AllowedClasses.of(List.of(pattern)).contains(AllowedClassesTests.class))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "**", "com.*.Order", "!com.example.Order", "maxdepth=3", "a;b", ""})
    void patternsThatAllowEverythingByAccidentAreRefused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedClasses.of(List.of(pattern)))
                .withMessageContaining("must be the name of a class");
    }
}
