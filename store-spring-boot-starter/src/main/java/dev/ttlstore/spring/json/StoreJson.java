package dev.ttlstore.spring.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifies the {@code JsonMapper} bean that encodes stored values, in place of the store's own. Declare it with
 * {@code defaultCandidate = false}, so that it does not replace the mapper of the web layer:
 *
 * <pre>{@code
 * @Bean(defaultCandidate = false)
 * @StoreJson
 * JsonMapper storedJson() {
 *     return JacksonCodecFactory.defaults()
 *             .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
 *             .build();
 * }
 * }</pre>
 *
 * @since 0.1
 * @see JacksonCodecFactory
 * @see StoreJacksonAutoConfiguration
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface StoreJson {}
