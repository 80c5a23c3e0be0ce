package dev.ttlstore.sample.operator;

import org.springframework.context.annotation.Configuration;
import org.springframework.session.config.annotation.web.http.EnableSpringHttpSession;

/** Keeps logins in the store, by {@link StoredSessions}, and not in the memory of one node. */
@Configuration(proxyBeanMethods = false)
@EnableSpringHttpSession
class SessionConfig {}
