package dev.ttlstore.spring.session;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.annotation.SessionScope;
import org.springframework.web.context.request.DestructionCallbackBindingListener;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.ttlstore.spring.SharedMetadata;
import dev.ttlstore.spring.autoconfigure.StoreAutoConfiguration;
import dev.ttlstore.spring.autoconfigure.StoreLifecycleAutoConfiguration;

import jakarta.annotation.PreDestroy;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Beans whose scope is the session, and what they do at their end. */
class SessionBeansTests {

    private static final String BEAN = "scopedTarget.cart";
    private static final String END = ServletRequestAttributes.DESTRUCTION_CALLBACK_NAME_PREFIX + BEAN;

    @TempDir
    private Path folder;

    private WebApplicationContextRunner runner(String format) {
        return new WebApplicationContextRunner()
                .withInitializer(new SharedMetadata())
                .withConfiguration(AutoConfigurations.of(
                        SessionAutoConfiguration.class,
                        StoreAutoConfiguration.class,
                        StoreLifecycleAutoConfiguration.class,
                        StoreSessionAutoConfiguration.class))
                .withUserConfiguration(Carts.class)
                .withPropertyValues(
                        "store.path=" + folder.resolve("store.db"),
                        "store.session.enabled=true",
                        "store.session.format=" + format,
                        "store.session.allowed-classes=" + Cart.class.getName());
    }

    /** What a customer has chosen. */
    static class Cart implements Serializable {

        private static final long serialVersionUID = 1;

        private static final List<String> RELEASED = new ArrayList<>();

        private String item = "";

        public String getItem() {
            return item;
        }

        public void setItem(String item) {
            this.item = item;
        }

        @PreDestroy
        void release() {
            RELEASED.add(item);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Carts {

        @Bean
        @SessionScope
        Cart cart() {
            return new Cart();
        }
    }

    /** Lets Spring create the bean in a session of a server, and saves what it has put there. */
    private static StoreSession saved(ApplicationContext context) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            context.getBean(BEAN, Cart.class).setItem("book");
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
        StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
        StoreSession session = sessions.createSession();
        HttpSession source = requireNonNull(request.getSession());
        Collections.list(source.getAttributeNames())
                .forEach(name -> session.setAttribute(name, source.getAttribute(name)));
        assertThat(session.getAttributeNames()).containsExactlyInAnyOrder(BEAN, END);
        sessions.save(session);
        return session;
    }

    private static StoreSession found(ApplicationContext context, StoreSession session) {
        return requireNonNull(context.getBean(StoreSessionRepository.class).findById(session.getId()));
    }

    private static void unbind(StoreSession session) {
        HttpSessionBindingListener end = requireNonNull(session.<HttpSessionBindingListener>getAttribute(END));
        HttpSession any = requireNonNull(new MockHttpServletRequest().getSession());
        end.valueUnbound(new HttpSessionBindingEvent(any, END));
    }

    @Test
    void aBeanWithItsEndIsStoredAndEndsLater() {
        for (String format : List.of("java", "json")) {
            Cart.RELEASED.clear();
            runner(format).run(context -> {
                StoreSession session = found(context, saved(context));
                assertThat(requireNonNull(session.<Cart>getAttribute(BEAN)).getItem())
                        .isEqualTo("book");
                assertThat(Cart.RELEASED).isEmpty();
                unbind(session);
                assertThat(Cart.RELEASED).as(format).containsExactly("book");
            });
        }
    }

    @Test
    void anEndWithoutItsBeanIsGone() {
        runner("java").run(context -> {
            StoreSession session = found(context, saved(context));
            session.removeAttribute(BEAN);
            context.getBean(StoreSessionRepository.class).save(session);
            assertThat(found(context, session).getAttributeNames()).isEmpty();
        });
    }

    /** Or a callback would run whatever the bytes say. */
    @Test
    void onlyBeansOfSessionsHaveAnEnd() {
        runner("java").run(context -> {
            StoreSessionRepository sessions = context.getBean(StoreSessionRepository.class);
            StoreSession session = sessions.createSession();
            for (String bean : List.of("ttlStoreSessionRepository", "unknown")) {
                session.setAttribute(bean, new Cart());
                session.setAttribute(
                        ServletRequestAttributes.DESTRUCTION_CALLBACK_NAME_PREFIX + bean,
                        new DestructionCallbackBindingListener(() -> {}));
            }
            sessions.save(session);
            assertThat(found(context, session).getAttributeNames())
                    .containsExactlyInAnyOrder("ttlStoreSessionRepository", "unknown");
        });
    }
}
