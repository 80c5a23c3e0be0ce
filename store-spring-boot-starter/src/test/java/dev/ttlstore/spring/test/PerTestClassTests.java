package dev.ttlstore.spring.test;

import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestContextManager;

import dev.ttlstore.Store;
import dev.ttlstore.exception.StoreClosedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PerTestClassTests {

    @Test
    void classesWithEqualConfigurationsHaveContextsOfTheirOwnAtTheSameTime() throws Exception {
        TestContextManager one = begin(One.class);
        TestContextManager other = begin(Other.class);
        assertThat(context(one)).isNotSameAs(context(other));
        end(one);
        end(other);
    }

    @Test
    void theContextAndItsStoreAreClosedBehindTheClass() throws Exception {
        TestContextManager test = begin(One.class);
        ConfigurableApplicationContext context = context(test);
        Store store = context.getBean(Store.class);
        end(test);
        assertThat(context.isActive()).isFalse();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(store::count);
    }

    @Test
    void aClassThatIsRunAgainHasANewStore() throws Exception {
        TestContextManager first = begin(One.class);
        context(first).getBean(Store.class).group("left").put("key", "value");
        end(first);
        TestContextManager again = begin(One.class);
        assertThat(context(again).getBean(Store.class).group("left").contains("key"))
                .isFalse();
        end(again);
    }

    @Test
    void aNestedClassSharesTheContextOfTheClassAround() throws Exception {
        TestContextManager around = begin(Around.class);
        TestContextManager nested = begin(Around.Within.class);
        ConfigurableApplicationContext context = context(around);
        assertThat(context(nested)).isSameAs(context);
        end(nested);
        assertThat(context.isActive()).isTrue();
        end(around);
        assertThat(context.isActive()).isFalse();
    }

    @Test
    void aNestedClassThatHasTheAnnotationItselfHasAStoreOfItsOwn() {
        assertThat(PerTestClass.of(Plain.Annotated.class)).isEqualTo(new PerTestClass(Plain.Annotated.class));
    }

    @Test
    void classesThatShareTheirContextAreNotTakenApart() throws Exception {
        TestContextManager one = begin(Sharing.class);
        ConfigurableApplicationContext context = context(one);
        context.getBean(Store.class).group("left").put("key", "value");
        end(one);
        assertThat(context.isActive()).isTrue();
        TestContextManager other = begin(SharingToo.class);
        assertThat(context(other)).isSameAs(context);
        assertThat(context.getBean(Store.class).group("left").contains("key")).isTrue();
        end(other);
    }

    @Test
    void classesWithoutTheAnnotationHaveEqualCustomizers() {
        TestStoreCustomizerFactory factory = new TestStoreCustomizerFactory();
        assertThat(factory.createContextCustomizer(Plain.class, List.of()))
                .isEqualTo(factory.createContextCustomizer(PerTestClassTests.class, List.of()));
    }

    private static TestContextManager begin(Class<?> testClass) throws Exception {
        TestContextManager manager = new TestContextManager(testClass);
        manager.beforeTestClass();
        return manager;
    }

    private static void end(TestContextManager manager) throws Exception {
        manager.afterTestClass();
    }

    private static ConfigurableApplicationContext context(TestContextManager manager) {
        return (ConfigurableApplicationContext) manager.getTestContext().getApplicationContext();
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {}

    @SpringBootTest(classes = PerTestClassTests.Application.class)
    @AutoConfigureTestStore
    static class One {}

    @SpringBootTest(classes = PerTestClassTests.Application.class)
    @AutoConfigureTestStore
    static class Other {}

    @SpringBootTest(classes = PerTestClassTests.Application.class)
    @AutoConfigureTestStore
    static class Around {

        @Nested
        class Within {}
    }

    @SpringBootTest(classes = PerTestClassTests.Application.class)
    @AutoConfigureTestStore(shareContext = true)
    static class Sharing {}

    @SpringBootTest(classes = PerTestClassTests.Application.class)
    @AutoConfigureTestStore(shareContext = true)
    static class SharingToo {}

    static class Plain {

        @Nested
        @AutoConfigureTestStore
        class Annotated {}
    }
}
