package dev.ttlstore.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.springframework.test.context.ActiveProfiles;

/**
 * Has {@link ThreeNodes} behind a proxy answer a test, in place of one. On a subclass it runs the tests of the class above
 * once more. All classes with it share the nodes.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("postgresql")
@Tag("nodes")
@Tag("slow")
@ActiveProfiles(OnThreeNodes.PROFILE)
public @interface OnThreeNodes {

    String PROFILE = "postgresql";
}
