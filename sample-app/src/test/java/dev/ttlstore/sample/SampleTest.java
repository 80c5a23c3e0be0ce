package dev.ttlstore.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** Runs the sample with small limits, once for all classes that have this and nothing of their own. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "store.in-memory=true",
            "store.encryption.keyset=", // a key that is lost with the store
            "store.scopes.small.quota.max-keys=5",
            "store.scopes.small.quota.max-bytes=1KB",
            "secrets.reveal-limit=30",
            "secrets.streams=3",
            "secrets.streams-per-client=2",
            "secrets.login-limit=5",
            "server.forward-headers-strategy=native", // so that a test can be several clients
            "secrets.other-teams.max-teams=2",
            "secrets.other-teams.max-keys=2",
            "spring.security.user.name=admin",
            "spring.security.user.password=pass"
        })
@interface SampleTest {}
