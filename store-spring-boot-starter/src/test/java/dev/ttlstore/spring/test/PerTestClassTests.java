package dev.ttlstore.spring.test;

import java.util.List;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestContextManager;

import dev.ttlstore.Store;
import dev.ttlstore.StoreClosedException;

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
    void classesWithoutTheAnnotationAreLeftAlone() {
        assertThat(new PerTestClassFactory().createContextCustomizer(Plain.class, List.of()))
                .isNull();
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

    static class Plain {

        @Nested
        @AutoConfigureTestStore
        class Annotated {}
    }
}
