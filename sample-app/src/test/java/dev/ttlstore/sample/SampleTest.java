package dev.ttlstore.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

/**
 * Tests the running sample, which has small limits. It is started once for all classes that have this and nothing of their own,
 * and is empty when a test begins.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "store.expiry.max-attempts=1", // so that what fails is a dead letter at once
            "store.scopes." + SampleTest.SMALL_TEAM + ".quota.max-keys=5",
            "store.scopes." + SampleTest.SMALL_TEAM + ".quota.max-bytes=1KB",
            "secrets.reveal-limit=30",
            "secrets.create-limit=300",
            "secrets.login-teams=" + SampleTest.LOGIN_TEAM,
            "secrets.senders[0].name=" + SampleTest.SENDER,
            "secrets.senders[0].password=" + SampleTest.SENDER_PASSWORD,
            "secrets.streams=3",
            "secrets.streams-per-client=2",
            "secrets.login-limit=5",
            "secrets.uploads-per-client=20",
            "secrets.upload-timeout=2s",
            "server.forward-headers-strategy=native", // so that a test can be several clients
            "secrets.other-teams.max-teams=2",
            "secrets.other-teams.max-keys=2",
            "secrets.other-teams.create-limit=3",
            "spring.security.user.name=" + SampleTest.ADMIN,
            "spring.security.user.password={noop}" + SampleTest.PASSWORD,
            "logging.level.org.openqa.selenium=ERROR" // it warns of each browser newer than itself
        })
@ContextConfiguration(initializers = TemporaryStore.class)
@Import(FastPasswords.class)
@ExtendWith({EmptySample.class, Callers.class})
public @interface SampleTest {

    String ADMIN = "admin";

    String PASSWORD = "pass";

    /** Who creates secrets, and does not operate. */
    String SENDER = "alice";

    String SENDER_PASSWORD = "wonder";

    /** Whose senders log in. */
    String LOGIN_TEAM = "vault";

    /** That may have five secrets; those that the configuration does not know may have two. */
    String SMALL_TEAM = "small";
}
