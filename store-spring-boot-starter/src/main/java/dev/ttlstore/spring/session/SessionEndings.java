package dev.ttlstore.spring.session;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How {@link SessionExpiries} begin and end, in applications of both kinds. */
@Configuration(proxyBeanMethods = false)
class SessionEndings {

    /** Takes a provider, so that Spring stops it in its own phase. */
    @Bean
    SmartLifecycle ttlStoreSessionEnding(ObjectProvider<SessionExpiries> expiries) {
        return expiries.getObject().ending();
    }

    /** Excludes the expiries from lazy initialization: nothing injects them, so they would never be created. */
    @Bean
    static LazyInitializationExcludeFilter ttlStoreSessionExpiriesAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(SessionExpiries.class);
    }
}
