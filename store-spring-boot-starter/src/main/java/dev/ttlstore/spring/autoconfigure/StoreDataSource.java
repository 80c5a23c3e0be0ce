package dev.ttlstore.spring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code DataSource} bean that the store uses with {@code store.engine=postgresql}. An application needs it
 * only if the store does not use its only or primary {@code DataSource}. With {@code defaultCandidate = false}, Spring
 * Boot still configures its own:
 *
 * <pre>{@code
 * @Bean(defaultCandidate = false)
 * @StoreDataSource
 * DataSource sharedDatabase() {
 *     return DataSourceBuilder.create().url("jdbc:postgresql://db/shared").username("application").build();
 * }
 * }</pre>
 *
 * @since 0.1
 * @see dev.ttlstore.spring.transaction.SpringTransactions
 * @see StoreProperties
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface StoreDataSource {}
