package dev.ttlstore.spring.expiry;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;

import dev.ttlstore.Codec;
import dev.ttlstore.CodecFactory;
import dev.ttlstore.Store;
import dev.ttlstore.exception.CodecException;
import dev.ttlstore.expiry.ExpiredEntry;
import dev.ttlstore.spring.StoreRunner;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A method with {@code @OnExpiry} that cannot be called fails the start, by its name and with the remedy. */
@Tag("variant")
class OnExpirySignatureTests {

    @TempDir
    private Path folder;

    static List<Arguments> refused() {
        return List.of(
                arguments(NoParameter.class, "it has 0 parameters"),
                arguments(TwoParameters.class, "it has 2 parameters"),
                arguments(RawEntry.class, "does not declare the class"),
                arguments(WildcardEntry.class, "does not declare the class"),
                arguments(BoundedEntry.class, "does not declare the class"),
                arguments(VariableEntry.class, "does not declare the class"),
                arguments(VoidValue.class, "its parameter is a Void"),
                arguments(VariableVoid.class, "its parameter is a Void"),
                arguments(GenericValue.class, "have the generic type java.util.List<?>, which is partly unknown"),
                arguments(GenericEntry.class, "have the generic type java.util.List<?>, which is partly unknown"),
                arguments(GenericArray.class, "have the generic type"),
                arguments(RawList.class, "have the generic type"),
                arguments(Returning.class, "it returns a boolean"),
                arguments(Static.class, "it is static"),
                arguments(BothNames.class, "both a group and a prefix"),
                arguments(NoName.class, "names no group"),
                arguments(EmptyGroup.class, "'group' must be 1 to 1,024 bytes"),
                arguments(Suffix.class, "its group is invalid: a pattern must be"),
                arguments(PatternInScope.class, "it names a scope, and a pattern"),
                arguments(EmptySubscriber.class, "its subscriber has no name"),
                arguments(NulSubscriber.class, "'subscriber' must not contain the NUL character"),
                arguments(NoProperty.class, "a placeholder cannot be resolved"),
                arguments(AsyncMethod.class, "it is @Async"),
                arguments(AsyncClass.class, "it is @Async"),
                arguments(BadScope.class, "'namespace' must be"),
                arguments(SameSubscribers.class, "its subscriber 'mail' is also the subscriber of"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void aMethodThatCannotBeCalledFailsTheStart(Class<?> bean, String problem) {
        run(runner().withBean(bean), bean, problem);
    }

    @ParameterizedTest
    @ValueSource(classes = {RawEntry.class, WildcardEntry.class, VoidValue.class})
    void whoNeedsNoValueIsToldWhatToTake(Class<?> bean) {
        runner().withBean(bean).run(context -> assertThat(context)
                .getFailure()
                .satisfies(failure -> assertThat(refusal(failure).remedy()).contains("ExpiredEntry<Void>")));
    }

    @Test
    void twoBeansOfAClassAreTwoSubscribersOfOneName() {
        run(
                runner().withBean("one", Fine.class).withBean("two", Fine.class),
                Fine.class,
                "its subscriber 'mail' is also the subscriber of");
    }

    @Test
    void aSubscriberThatTheApplicationHasTakenItselfIsRefused() {
        ApplicationContextRunner runner = runner().withBean(Store.class, () -> {
            Store store = Store.inMemory();
            store.onExpired("mail", "other", entry -> {});
            return store;
        });
        run(runner.withBean(Fine.class), Fine.class, "its subscriber 'mail' already has a handler");
    }

    @Test
    void aProxyThatDoesNotHaveTheMethodIsRefused() {
        run(proxied(PrivateMethod.class), PrivateMethod.class, "the bean has a proxy, which does not have the method");
    }

    @Test
    void aProxyThatAFinalMethodPassesByIsRefused() {
        run(
                proxied(FinalMethod.class),
                FinalMethod.class,
                "the bean has a proxy, and a final method of a proxy runs without");
    }

    @Test
    void aClassWithoutCodecIsRefused() {
        run(
                runner().withClassLoader(new FilteredClassLoader(JsonMapper.class))
                        .withBean(JsonValue.class),
                JsonValue.class,
                "there is no codec for " + Invite.class.getName());
    }

    @Test
    void aGenericTypeWithoutCodecIsRefused() {
        run(
                runner().withClassLoader(new FilteredClassLoader(JsonMapper.class))
                        .withBean(JsonValues.class),
                JsonValues.class,
                "there is no codec for java.util.List<" + Invite.class.getName() + ">");
    }

    /** Explains why it has no codec. */
    private static final CodecFactory EXPLAINING = new CodecFactory() {
        @Override
        public <V> @Nullable Codec<V> codec(Class<V> type) {
            throw new CodecException("Only lists can be stored");
        }
    };

    @Test
    void whatACodecFactoryExplainsIsPassedOn() {
        run(
                runner().withBean(CodecFactory.class, () -> EXPLAINING).withBean(JsonValue.class),
                JsonValue.class,
                "its values cannot be read: Only lists can be stored");
    }

    @Test
    void severalStoresOfWhichNoneIsThePrimaryOneAreRefused() {
        run(
                runner().withBean("one", Store.class, Store::inMemory)
                        .withBean("two", Store.class, Store::inMemory)
                        .withBean(Fine.class),
                Fine.class,
                "there are several stores");
    }

    private ApplicationContextRunner runner() {
        return StoreRunner.at(folder);
    }

    private ApplicationContextRunner proxied(Class<?> bean) {
        return runner().withBean(BeanNameAutoProxyCreator.class, () -> {
                    BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
                    creator.setBeanNames("handler");
                    creator.setProxyTargetClass(true);
                    return creator;
                })
                .withBean("handler", bean);
    }

    private static void run(ApplicationContextRunner runner, Class<?> bean, String problem) {
        runner.run(context -> assertThat(context).getFailure().satisfies(failure -> {
            InvalidExpiryHandlerException refusal = refusal(failure);
            assertThat(refusal.handler()).startsWith(bean.getName() + ".");
            assertThat(refusal.problem()).contains(problem);
            assertThat(refusal.remedy()).isNotBlank();
            assertThat(refusal).hasMessageContainingAll(refusal.handler(), refusal.problem(), refusal.remedy());
        }));
    }

    private static InvalidExpiryHandlerException refusal(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof InvalidExpiryHandlerException refusal)) {
            cause = Objects.requireNonNull(cause.getCause(), failure::toString);
        }
        return refusal;
    }

    record Invite(String mail) {}

    static class Fine {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(String value) {}
    }

    static class NoParameter {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired() {}
    }

    static class TwoParameters {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(String value, long version) {}
    }

    static class RawEntry {
        @OnExpiry(subscriber = "mail", group = "group")
        @SuppressWarnings("rawtypes")
        void onExpired(ExpiredEntry entry) {}
    }

    static class WildcardEntry {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(ExpiredEntry<?> entry) {}
    }

    static class BoundedEntry {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(ExpiredEntry<? extends Invite> entry) {}
    }

    static class VariableEntry {
        @OnExpiry(subscriber = "mail", group = "group")
        <T> void onExpired(ExpiredEntry<T> entry) {}
    }

    static class VoidValue {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(Void value) {}
    }

    abstract static class Variable<T> {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(T value) {}
    }

    static class VariableVoid extends Variable<Void> {}

    static class GenericValue<T> {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(List<T> value) {}
    }

    static class GenericEntry {
        @OnExpiry(subscriber = "mail", group = "group")
        <T> void onExpired(ExpiredEntry<List<T>> entry) {}
    }

    static class GenericArray<T> {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(List<T>[] value) {}
    }

    static class RawList {
        @OnExpiry(subscriber = "mail", group = "group")
        @SuppressWarnings("rawtypes")
        void onExpired(List value) {}
    }

    static class Returning {
        @OnExpiry(subscriber = "mail", group = "group")
        boolean onExpired(String value) {
            return value.isEmpty();
        }
    }

    static class Static {
        @OnExpiry(subscriber = "mail", group = "group")
        static void onExpired(String value) {}
    }

    static class BothNames {
        @OnExpiry(subscriber = "mail", group = "group", prefix = "gr")
        void onExpired(String value) {}
    }

    static class NoName {
        @OnExpiry(subscriber = "mail")
        void onExpired(String value) {}
    }

    static class EmptyGroup {
        @OnExpiry(subscriber = "mail", group = "")
        void onExpired(String value) {}
    }

    static class Suffix {
        @OnExpiry(subscriber = "mail", group = "secret*")
        void onExpired(String value) {}
    }

    static class PatternInScope {
        @OnExpiry(subscriber = "mail", group = "*:secrets", scope = "acme")
        void onExpired(String value) {}
    }

    static class EmptySubscriber {
        @OnExpiry(subscriber = "", group = "group")
        void onExpired(String value) {}
    }

    static class NulSubscriber {
        @OnExpiry(subscriber = "mail\0", group = "group")
        void onExpired(String value) {}
    }

    static class NoProperty {
        @OnExpiry(subscriber = "mail", group = "${there.is.none}")
        void remind(String invite) {}
    }

    static class AsyncMethod {
        @Async
        @OnExpiry(subscriber = "mail", group = "invites")
        void remind(String invite) {}
    }

    @Async
    static class AsyncClass {
        @OnExpiry(subscriber = "mail", group = "invites")
        void remind(String invite) {}
    }

    static class BadScope {
        @OnExpiry(subscriber = "mail", group = "group", scope = "a:b")
        void onExpired(String value) {}
    }

    static class SameSubscribers {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(String value) {}

        @OnExpiry(subscriber = "mail", group = "other")
        void onOther(String value) {}
    }

    static class PrivateMethod {
        @OnExpiry(subscriber = "mail", group = "group")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void onExpired(String value) {}
    }

    static class FinalMethod {
        @OnExpiry(subscriber = "mail", group = "group")
        final void onExpired(String value) {}
    }

    static class JsonValues {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(List<Invite> value) {}
    }

    static class JsonValue {
        @OnExpiry(subscriber = "mail", group = "group")
        void onExpired(Invite value) {}
    }
}
