package dev.ttlstore.spring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a duration property as the interval of a scheduled job. {@code -} turns the job off, as elsewhere in Spring.
 *
 * @since 0.1
 * @see IntervalConverter
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Interval {}
