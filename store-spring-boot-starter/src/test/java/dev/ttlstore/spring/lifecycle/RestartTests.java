package dev.ttlstore.spring.lifecycle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.spring.expiry.OnExpiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An application that is started anew in the same process with its classes loaded anew, as DevTools does it. */
@Tag("variant")
class RestartTests {

    @TempDir
    private Path folder;

    private final Told told = new Told(new CopyOnWriteArrayList<>());

    @Test
    void theFileIsFreeAndItsValuesAreOfTheNewClasses() throws Exception {
        Class<?> firstInvite = new Classes().loadClass(Invite.class.getName());
        Class<?> secondInvite = new Classes().loadClass(Invite.class.getName());
        assertThat(secondInvite).isNotEqualTo(firstInvite);
        inApplication(firstInvite, context -> put(context, firstInvite));
        inApplication(secondInvite, context -> {
            put(context, secondInvite);
            assertThat(get(context, secondInvite))
                    .isInstanceOf(secondInvite)
                    .extracting("mail")
                    .isEqualTo("ann");
        });
        inApplication(
                firstInvite, context -> assertThat(get(context, firstInvite)).isInstanceOf(firstInvite));
    }

    @Test
    void expiriesOfBeforeAreHandledByTheNewClasses() throws Exception {
        Class<?> firstInvite = new Classes().loadClass(Invite.class.getName());
        Class<?> secondInvite = new Classes().loadClass(Invite.class.getName());
        inApplication(firstInvite, context -> {
            context.getBean(Time.class).now = Instant.EPOCH;
            put(context, firstInvite, Duration.ofSeconds(1));
        });
        inApplication(secondInvite, context -> {
            context.getBean(Time.class).now = Instant.EPOCH.plusSeconds(1);
            context.getBean(Store.class).purgeExpired();
            await().until(() ->
                    told.all().size() == 2); // a failed assertion would print a class that cannot say its name
            assertThat(told.all().get(0)).as("the value").isInstanceOf(secondInvite);
            assertThat(told.all().get(1)).as("the class loader of the thread").isSameAs(secondInvite.getClassLoader());
        });
    }

    private void inApplication(Class<?> invite, Consumer<ConfigurableApplicationContext> use) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(invite.getClassLoader());
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        invite.getClassLoader().loadClass(Application.class.getName()))
                .web(WebApplicationType.NONE)
                .initializers(started -> started.getBeanFactory().registerSingleton("told", told))
                .run("--store.path=" + folder.resolve("store.db"), "--store.lock-timeout=0s")) {
            use.accept(context);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static <V> void put(ConfigurableApplicationContext context, Class<V> invite) {
        group(context, invite).put("a", create(invite));
    }

    private static <V> void put(ConfigurableApplicationContext context, Class<V> invite, Duration ttl) {
        group(context, invite).put("a", create(invite), ttl);
    }

    private static Object get(ConfigurableApplicationContext context, Class<?> invite) {
        return group(context, invite).get("a").orElseThrow();
    }

    private static <V> Group<V> group(ConfigurableApplicationContext context, Class<V> invite) {
        return context.getBean(Store.class).group("invites", invite);
    }

    private static <V> V create(Class<V> invite) {
        try {
            return invite.getDeclaredConstructor(String.class).newInstance("ann");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The values. */
    public record Invite(String mail) {}

    /** The application, whose classes change. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    public static class Application {

        /** Called by reflection. */
        public Application() {}

        @Bean
        Reminders reminders(Told told) {
            return new Reminders(told);
        }

        @Bean
        Time time() {
            return new Time();
        }
    }

    record Reminders(Told told) {

        @OnExpiry(subscriber = "reminders", group = "invites")
        void remind(Invite invite) {
            told.all().add(invite);
            told.all().add(Thread.currentThread().getContextClassLoader());
        }
    }

    /** What the handler was told. It is not loaded anew. */
    public record Told(List<Object> all) {}

    /** A clock that is moved. It is not loaded anew. */
    public static final class Time implements InstantSource {

        private volatile Instant now = Instant.EPOCH;

        /** Called from classes of another loader, which are of another package. */
        public Time() {}

        @Override
        public Instant instant() {
            return now;
        }
    }

    /** Loads the application's classes, and leaves libraries to the loader above. */
    private static final class Classes extends ClassLoader {

        private static final List<String> CHANGING =
                List.of(Invite.class.getName(), Application.class.getName(), Reminders.class.getName());

        Classes() {
            super(RestartTests.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!CHANGING.contains(name)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = bytes.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
