package dev.ttlstore.contract;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which of the promises P1 to P25 a test holds; {@link PromiseNames} shows it before the test's name. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Promise {

    /** The numbers of the promises. */
    int[] value();
}
