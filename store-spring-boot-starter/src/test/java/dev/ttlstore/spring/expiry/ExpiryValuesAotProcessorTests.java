package dev.ttlstore.spring.expiry;

import java.lang.reflect.Method;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import dev.ttlstore.expiry.ExpiredEntry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

/** What a native image is told of methods with {@code @OnExpiry}. */
class ExpiryValuesAotProcessorTests {

    @Test
    void theMethodCanBeCalledAndItsValuesReadFromJson() throws Exception {
        RuntimeHints hints = hintsFor(Reminder.class);
        Method method = Reminder.class.getDeclaredMethod("remind", ExpiredEntry.class);
        assertThat(reflection().onMethodInvocation(method)).accepts(hints);
        assertThat(reflection().onMethodInvocation(Invite.class.getDeclaredMethod("mail")))
                .accepts(hints);
        assertThat(reflection()
                        .onConstructorInvocation(Invite.class.getDeclaredConstructor(String.class, Sender.class)))
                .accepts(hints);
        assertThat(reflection().onConstructorInvocation(Sender.class.getDeclaredConstructor(String.class)))
                .accepts(hints);
    }

    @Test
    void aMethodThatIsInheritedTakesTheValuesOfTheBeansClass() throws Exception {
        RuntimeHints hints = hintsFor(Inheriting.class);
        Method method = Base.class.getDeclaredMethod("told", Object.class);
        assertThat(reflection().onMethodInvocation(method)).accepts(hints);
        assertThat(reflection().onConstructorInvocation(Sender.class.getDeclaredConstructor(String.class)))
                .accepts(hints);
    }

    @Test
    void theArgumentsOfGenericValuesCanBeReadFromJson() throws Exception {
        for (Class<?> bean : List.of(Listing.class, Arrays.class)) {
            assertThat(reflection().onConstructorInvocation(Sender.class.getDeclaredConstructor(String.class)))
                    .accepts(hintsFor(bean));
        }
    }

    @Test
    void aMethodThatCannotBeCalledFailsTheBuild() {
        assertThatThrownBy(() -> hintsFor(Wrong.class))
                .hasStackTraceContaining("Wrong.told() cannot be called when entries expire: it has 0 parameters");
    }

    private static RuntimeHints hintsFor(Class<?> bean) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(bean);
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(ExpiryValuesAotProcessorTests.class)),
                    new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }

    record Sender(String name) {}

    record Invite(String mail, Sender sender) {}

    static class Reminder {

        @OnExpiry(subscriber = "reminder", group = "invites")
        void remind(ExpiredEntry<Invite> invite) {}
    }

    abstract static class Base<V> {

        @OnExpiry(subscriber = "base", group = "senders")
        void told(V value) {}
    }

    static class Inheriting extends Base<Sender> {}

    static class Listing extends Base<List<Sender>> {}

    static class Arrays extends Base<List<Sender>[]> {}

    static class Wrong {

        @OnExpiry(subscriber = "wrong", group = "invites")
        void told() {}
    }
}
