package dev.ttlstore.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.InputStreamSource;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.javapoet.ClassName;

import dev.ttlstore.Counters;
import dev.ttlstore.Group;
import dev.ttlstore.Store;
import dev.ttlstore.TextGroup;
import dev.ttlstore.TypeRef;
import dev.ttlstore.spring.StoreRunner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Declared groups as they are injected: by which types, and instead of which others. */
class GroupInjectionTests {

    @TempDir
    private Path folder;

    record Invite(String mail) {}

    record Kinds(
            @Qualifier("names") TextGroup texts,
            @Qualifier("names") Group<String> strings,
            @Qualifier("names") ObjectProvider<TextGroup> later,
            @Qualifier("names") List<Group<String>> all,
            @Qualifier("calls") Counters counters,
            @Qualifier("calls") Group<Long> numbers,
            @Qualifier("calls") ObjectProvider<Counters> laterCounters,
            @Qualifier("acme:drafts") TextGroup drafts) {}

    @Test
    void aDeclaredGroupIsInjectedAsTextsAndAsCounters() {
        StoreKeyspaceAutoConfigurationTests.withProperty(folder, "store.groups[acme:drafts].ttl", "1h")
                .withPropertyValues("store.groups.names.ttl=10d", "store.groups.calls.metrics=true")
                .withBean(Kinds.class)
                .run(context -> {
                    Kinds kinds = context.getBean(Kinds.class);
                    kinds.texts().put("key", "value");
                    assertThat(kinds.strings().get("key")).contains("value");
                    assertThat(kinds.later()
                                    .getObject()
                                    .entry("key")
                                    .orElseThrow()
                                    .ttl())
                            .isBetween(Duration.ofDays(9), Duration.ofDays(10));
                    assertThat(kinds.all()).hasSize(1);
                    assertThat(kinds.counters().increment("key")).isOne();
                    assertThat(kinds.laterCounters().getObject().increment("key"))
                            .isEqualTo(2);
                    assertThat(kinds.numbers().get("key")).contains(2L);
                    kinds.drafts().put("key", "value");
                    assertThat(context.getBean(Store.class)
                                    .scope("acme")
                                    .group("drafts")
                                    .entry("key")
                                    .orElseThrow()
                                    .ttl())
                            .isNotNull();
                });
    }

    static final class Raw {
        @SuppressWarnings("rawtypes")
        Raw(@Qualifier("names") Group names) {
            assertThat(names).isNull();
        }
    }

    static final class Wild {
        Wild(@Qualifier("names") Group<?> names) {
            assertThat(names).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Raw.class, Wild.class})
    void aGroupWithoutATypeOfValuesIsRefusedByItsPlaceAndNotAsAmbiguous(Class<?> bean) {
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.names.ttl=10d")
                .withBean(bean)
                .run(context ->
                        assertThat(context).getFailure().rootCause().isInstanceOf(GroupInjectionException.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGroups {

        @Bean
        TextGroup names(Store store) {
            return store.group("mine");
        }

        @Bean
        Group<Long> calls(Store store) {
            return store.group("mine", Long.class);
        }
    }

    record Owned(
            TextGroup unqualified,
            List<TextGroup> all,
            @Qualifier("names") TextGroup texts,
            @Qualifier("names") Group<String> strings,
            @Qualifier("calls") Group<Long> calls,
            @Qualifier("calls") Counters counters) {}

    @Test
    void aGroupOfTheApplicationIsPreferred() {
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.names.ttl=10d", "store.groups.calls.ttl=10d")
                .withUserConfiguration(OwnGroups.class)
                .withBean(Owned.class)
                .run(context -> {
                    Owned owned = context.getBean(Owned.class);
                    TextGroup mine = context.getBean(TextGroup.class);
                    assertThat(owned.unqualified()).isSameAs(mine);
                    assertThat(owned.all()).containsExactly(mine);
                    assertThat(owned.texts()).isSameAs(mine);
                    assertThat(owned.strings()).isSameAs(mine);
                    assertThat(owned.calls().name()).isEqualTo("mine");
                    assertThat(owned.counters().name()).isEqualTo("calls");
                });
    }

    static final class NamelessCounters {
        NamelessCounters(Counters calls) {
            assertThat(calls).isNull();
        }
    }

    @Test
    void countersAreNotTakenForOthersThatNobodyHasNamed() {
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.calls.ttl=10d")
                .withBean(NamelessCounters.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("No qualifying bean of type 'dev.ttlstore.Counters"));
    }

    /** A context that is processed ahead of time has the same bean definitions. */
    @Test
    void theGeneratedDefinitionsSayTheSame() throws IOException {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            TestPropertyValues.of("store.groups.calls.ttl=10d").applyTo(context);
            new DeclaredBeansRegistrar(context.getEnvironment())
                    .registerBeanDefinitions(AnnotationMetadata.introspect(getClass()), context);
            DefaultGenerationContext generation =
                    new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(getClass())), files);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }
        StringBuilder sources = new StringBuilder();
        for (InputStreamSource source :
                files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).values()) {
            sources.append(new String(source.getInputStream().readAllBytes(), UTF_8));
        }
        assertThat(sources)
                .contains("\"group\"", "\"texts\"", "\"counters\"")
                .containsPattern("(?s)(setDefaultCandidate\\(false\\).*){3}")
                .containsPattern("(?s)(setFallback\\(true\\).*){2}");
    }

    static final class Nameless {
        Nameless(Group<Invite> invites) {
            assertThat(invites).isNull();
        }
    }

    @Test
    void aGroupIsNotTakenForAnotherThatNobodyHasNamed() {
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.names.ttl=10d")
                .withBean(Nameless.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("No qualifying bean of type 'dev.ttlstore.Group"));
    }

    record Lists(@Qualifier("batches") Group<List<Invite>> batches) {}

    @Test
    void aGroupOfAGenericTypeIsInjectedAsItIsWritten() {
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.batches.ttl=10d")
                .withBean(Lists.class)
                .run(context -> {
                    Group<List<Invite>> batches = context.getBean(Lists.class).batches();
                    batches.put("key", List.of(new Invite("ann@example.org")));
                    assertThat(batches.get("key").orElseThrow()).containsExactly(new Invite("ann@example.org"));
                    assertThat(batches.entry("key").orElseThrow().ttl()).isNotNull();
                    assertThat(context.getBean(Store.class)
                                    .group("batches", new TypeRef<List<Invite>>() {})
                                    .get("key"))
                            .contains(List.of(new Invite("ann@example.org")));
                });
    }

    @SuppressWarnings("NullAway.Init") // Spring sets the fields
    abstract static class Base<T> {

        @Autowired
        @Qualifier("batches")
        Group<T> plain;

        @Autowired
        @Qualifier("batches")
        Group<List<T>> lists;

        @Autowired
        @Qualifier("batches")
        Group<T[]> arrays;

        @Autowired
        @Qualifier("batches")
        Group<List<T>[]> arraysOfLists;

        @Autowired
        @Qualifier("batches")
        ObjectProvider<Group<Map<String, ? extends T>>> later;
    }

    static final class OfInvites extends Base<Invite> {}

    static final class OfLists extends Base<List<Invite>> {}

    @Test
    void theSubclassOfAGenericClassSaysTheTypeOfItsGroups() {
        Invite ann = new Invite("ann@example.org");
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.batches.ttl=10d")
                .withBean(OfInvites.class)
                .withBean(OfLists.class)
                .run(context -> {
                    OfInvites invites = context.getBean(OfInvites.class);
                    assertThat(again(invites.plain, ann)).isEqualTo(ann);
                    assertThat(again(invites.lists, List.of(ann))).containsExactly(ann);
                    assertThat(again(invites.arrays, new Invite[] {ann})).containsExactly(ann);
                    assertThat(again(invites.arraysOfLists, listOfOne(ann))[0]).containsExactly(ann);
                    Map<String, ? extends Invite> found = again(invites.later.getObject(), Map.of("name", ann));
                    assertThat(found.get("name")).isEqualTo(ann);
                    OfLists lists = context.getBean(OfLists.class);
                    assertThat(again(lists.plain, List.of(ann))).containsExactly(ann);
                    assertThat(again(lists.lists, List.of(List.of(ann)))).containsExactly(List.of(ann));
                    assertThat(again(lists.arrays, listOfOne(ann))[0]).containsExactly(ann);
                });
    }

    private static <V> V again(Group<V> group, V value) {
        group.put("key", value);
        return group.get("key").orElseThrow();
    }

    @SuppressWarnings("unchecked") // Java has no arrays of generic types
    private static <E> List<E>[] listOfOne(E element) {
        return (List<E>[]) new List<?>[] {List.of(element)};
    }

    static final class Variable<T> {
        Variable(@Qualifier("names") Group<List<T>> names) {
            assertThat(names).isNull();
        }
    }

    @Test
    void aGroupWhoseValuesAreNotSaidIsRefusedByItsPlace() {
        StoreRunner.at(folder)
                .withPropertyValues("store.groups.names.ttl=10d")
                .withBean(Variable.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(GroupInjectionException.class, failure -> {
                            assertThat(failure.group()).isEqualTo("names");
                            assertThat(failure.place()).contains(Variable.class.getName());
                        }));
    }
}
