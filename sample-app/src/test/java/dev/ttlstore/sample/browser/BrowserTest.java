package dev.ttlstore.sample.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.ttlstore.sample.SampleTest;

/**
 * Tests what a {@link Browser} shows of the running sample. All classes with this share one browser, which has forgotten
 * everything when a test begins. Without a browser on this machine the tests are skipped and say so; where the environment has
 * {@code BROWSER_REQUIRED=true}, as in CI, they fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("browser")
@ExtendWith(BrowserExtension.class) // before Spring's, so that no application starts for tests that are skipped
@SampleTest
@interface BrowserTest {}
