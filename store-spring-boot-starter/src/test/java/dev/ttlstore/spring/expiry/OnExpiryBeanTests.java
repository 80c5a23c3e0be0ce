package dev.ttlstore.spring.expiry;

import java.time.Duration;
import java.util.List;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;
import org.springframework.sample.SampleComponent;

import dev.ttlstore.Store;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The beans whose methods with {@code @OnExpiry} are called, and what the application must have for it. */
@Tag("variant")
class OnExpiryBeanTests extends ExpiringApplication {

    @Test
    void aComponentInAPackageThatBeginsAsSpringsOwnIsServed() {
        runner().withBean(SampleComponent.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("samples").put("key", "value", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("sample value");
        });
    }

    @Test
    void aBeanBehindAProxyOfItsClassIsCalledThroughIt() {
        proxied(true).withBean("handler", PlainHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("proxy", "text");
        });
    }

    @Test
    void aBeanBehindAProxyOfItsInterfaceIsCalledThroughIt() {
        proxied(false).withBean("handler", InterfaceHandler.class).run(context -> {
            Store store = context.getBean(Store.class);
            store.group("texts").put("key", "text", Duration.ofSeconds(1));
            expireAll(store);
            awaitTold("proxy", "text");
        });
    }

    private ApplicationContextRunner proxied(boolean ofClass) {
        return runner().withBean(BeanNameAutoProxyCreator.class, () -> {
                    BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
                    creator.setBeanNames("handler");
                    creator.setInterceptorNames("interceptor");
                    creator.setProxyTargetClass(ofClass);
                    return creator;
                })
                .withBean("interceptor", MethodInterceptor.class, () -> invocation -> {
                    told.add("proxy");
                    return invocation.proceed();
                });
    }

    @Test
    void aLazyBeanIsCreatedForTheFirstExpiry() {
        runner().withBean(LazyHandler.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    assertThat(told).isEmpty();
                    store.group("texts").put("key", "text", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("created", "text");
                });
    }

    @Test
    void theUsersOwnStoreIsUsed() {
        runner().withBean(PlainHandler.class)
                .withBean(Store.class, Store::inMemory)
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("texts").put("key", "text", Duration.ofMillis(1));
                    awaitTold("text");
                });
    }

    @Test
    void textsNeedNoJackson() {
        runner().withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .withBean(PlainHandler.class)
                .run(context -> {
                    Store store = context.getBean(Store.class);
                    store.group("texts").put("key", "text", Duration.ofSeconds(1));
                    expireAll(store);
                    awaitTold("text");
                });
    }

    @Test
    void aStoreWithoutMethodsHasNoSubscribers() {
        runner().run(context ->
                assertThat(context.getBean(Store.class).expirySubscribers()).isEmpty());
    }

    @Test
    void aNativeImageCanCallTheMethods() throws NoSuchMethodException {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, PlainHandler.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(PlainHandler.class.getDeclaredMethod("onExpired", String.class)))
                .accepts(hints);
    }

    static class PlainHandler {

        private final List<Object> told;

        PlainHandler(List<Object> told) {
            this.told = told;
        }

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(String value) {
            told.add(value);
        }
    }

    interface Texts {

        void onExpired(String value);
    }

    record InterfaceHandler(List<Object> told) implements Texts {

        @Override
        @OnExpiry(subscriber = "mail", group = "texts")
        public void onExpired(String value) {
            told.add(value);
        }
    }

    @Lazy
    static class LazyHandler {

        private final List<Object> told;

        LazyHandler(List<Object> told) {
            this.told = told;
            told.add("created");
        }

        @OnExpiry(subscriber = "mail", group = "texts")
        void onExpired(String value) {
            told.add(value);
        }
    }
}
