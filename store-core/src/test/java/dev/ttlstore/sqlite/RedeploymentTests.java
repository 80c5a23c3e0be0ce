package dev.ttlstore.sqlite;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.Store;
import dev.ttlstore.contract.Promise;

import static dev.ttlstore.contract.Assertions.assertThat;

/** An application that is removed from a JVM that goes on, and whose container removes its JDBC drivers, as Tomcat does. */
@Promise(24)
@Timeout(60)
class RedeploymentTests {

    /** The JDK keeps the last type for which it has adapted a method by such a reference; it lets go when memory is needed. */
    private static final String WITHOUT_SOFT_REFERENCES = "-XX:SoftRefLRUPolicyMSPerMB=0";

    @Test
    void nothingKeepsTheClassesOfAnApplicationThatHasClosedItsStore(@TempDir Path folder) throws Exception {
        try (ChildJvm process =
                ChildJvm.startWithOption(WITHOUT_SOFT_REFERENCES, Container.class, folder.resolve("store.db"))) {
            assertThat(process.await("removed")).isEqualTo("gone");
        }
    }

    /** Has all classes of the application and its libraries, and removes its drivers when it is closed. */
    private static final class Application extends URLClassLoader {

        Application() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() {
            List<URL> urls = new ArrayList<>();
            for (String each : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
                try {
                    urls.add(Path.of(each).toUri().toURL());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            return urls.toArray(URL[]::new);
        }

        /** Uses a store with all its threads, and closes it. */
        void run(Path file) throws ReflectiveOperationException {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(this);
            try {
                Method main = Class.forName(Use.class.getName(), true, this).getDeclaredMethod("run", Path.class);
                main.setAccessible(true);
                Object unused = main.invoke(null, file);
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    /** Runs in the application, and removes the drivers that it sees there: its own ones. */
    static final class Use {

        static void run(Path file) throws Exception {
            try (Store store =
                    Store.builder().engine(Sqlite.file(file)).expiryOnTime(true).open()) {
                var subscription = store.onChange(event -> {});
                store.group("group").put("key", "value", Duration.ofMillis(1));
                long version =
                        store.group("group").async().put("other", "value").get();
                assertThat(version).isPositive();
                subscription.close();
            }
            for (Driver driver : DriverManager.drivers().toList()) {
                DriverManager.deregisterDriver(driver);
            }
        }
    }

    /** In a process of its own: other tests may have the JDK keep a class loader that it has seen in theirs. */
    static final class Container {

        private static final long PATIENCE_NANOS = Duration.ofSeconds(40).toNanos();

        private Container() {}

        public static void main(String[] args) throws Exception {
            startTheReaperOfProcesses();
            WeakReference<ClassLoader> application = runAndRemove(Path.of(args[0]));
            linkAnotherRecord();
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (application.get() != null && end - System.nanoTime() > 0) {
                System.gc();
            }
            System.out.println("removed " + (application.get() == null ? "gone" : "kept"));
        }

        private static WeakReference<ClassLoader> runAndRemove(Path file) throws Exception {
            try (Application application = new Application()) {
                application.run(file);
                return new WeakReference<>(application);
            }
        }
    }

    /** The JDK keeps its thread for a minute, and with it the class loader that has first needed it. */
    private static void startTheReaperOfProcesses() throws Exception {
        int unused = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** The JDK keeps the class of a component of the last record in the JVM whose methods were linked. */
    private static void linkAnotherRecord() {
        record Other(RedeploymentTests component) {}
        Other other = new Other(new RedeploymentTests());
        assertThat(other).isEqualTo(new Other(other.component())).hasSameHashCodeAs(new Other(other.component()));
        assertThat(other.toString()).contains("component");
    }
}
