package dev.ttlstore.sample.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;

/**
 * Tests what a {@link Browser} shows of the running sample. All classes with this share one application and one browser, which
 * has forgotten everything when a test begins. Without a browser on this machine the tests are skipped and say so; where the
 * environment has {@code BROWSER_REQUIRED=true}, as in CI, they fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BrowserExtension.class) // before Spring's, so that no application starts for tests that are skipped
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "logging.level.org.openqa.selenium=ERROR", // it warns of each browser newer than itself
            "spring.security.user.name=admin",
            "spring.security.user.password=" + BrowserTest.PASSWORD
        })
@ContextConfiguration(initializers = TemporaryStore.class)
@interface BrowserTest {

    /** The operator's. */
    String PASSWORD = "correct horse";
}
