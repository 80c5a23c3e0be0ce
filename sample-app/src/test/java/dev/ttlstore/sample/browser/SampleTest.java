package dev.ttlstore.sample.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;

/** Tests the running sample. All classes with this share one, so each test has a team of its own. */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "spring.security.user.name=" + SampleTest.ADMIN,
            "spring.security.user.password=" + SampleTest.PASSWORD,
            "store.scopes." + SampleTest.SMALL_TEAM + ".quota.max-keys=2",
            "store.scopes." + SampleTest.TIGHT_TEAM + ".quota.max-keys=5",
            "store.expiry.max-attempts=1", // so that what fails is a dead letter at once
            "logging.level.org.openqa.selenium=ERROR" // it warns of each browser newer than itself
        })
@ContextConfiguration(initializers = TemporaryStore.class)
@interface SampleTest {

    String ADMIN = "admin";

    String PASSWORD = "correct horse";

    /** That may have two secrets. */
    String SMALL_TEAM = "small";

    /** That may have five. */
    String TIGHT_TEAM = "tight";
}
