package dev.ttlstore.spring.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifies the {@code JsonMapper} bean by which values are stored, in place of the store's own. It is not to be a candidate
 * where the mapper of the web is meant:
 *
 * <pre>{@code
 * @Bean(defaultCandidate = false)
 * @StoreJson
 * JsonMapper storedJson() {
 *     return JacksonCodecFactory.defaults().addModule(new MoneyModule()).build();
 * }
 * }</pre>
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface StoreJson {}
