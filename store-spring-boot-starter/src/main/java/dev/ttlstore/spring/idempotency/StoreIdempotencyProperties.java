package dev.ttlstore.spring.idempotency;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of requests that take effect once.
 *
 * @param enabled Whether POST and PATCH requests with an Idempotency-Key header take effect once: the first answer is
 *     repeated.
 * @param ttl Time to keep and repeat an answer.
 * @param runningTimeout Time after which another request may use the key of a request that has no answer, in case its
 *     instance was killed.
 * @param maxAnswerSize Maximum size of an answer that is stored. A larger one, or a stream, is sent and not repeated.
 * @param maxSize Maximum size of all answers to requests whose owner is known. Answers beyond it are not stored. Zero for no limit.
 * @param maxOwnerSize Maximum size of the answers to one owner within the ttl.
 * @param maxAnonymousSize Maximum size of the answers to requests without an owner.
 * @param statuses Statuses of answers that are stored, in addition to 2xx, 3xx, 400, 409, 410 and 422.
 * @param paths Patterns of paths whose requests may have a key, such as '/payments/**'. By default all paths.
 * @param requiredPaths Patterns of paths whose POST and PATCH requests must have a key, such as '/payments/**'.
 * @since 0.1
 * @see IdempotencyFilter
 */
@ConfigurationProperties("store.idempotency")
public record StoreIdempotencyProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("1d") Duration ttl,
        @DefaultValue("5m") Duration runningTimeout,
        @DefaultValue("1MB") DataSize maxAnswerSize,
        @DefaultValue("100MB") DataSize maxSize,
        @DefaultValue("10MB") DataSize maxOwnerSize,
        @DefaultValue("10MB") DataSize maxAnonymousSize,
        @DefaultValue Set<Integer> statuses,
        @DefaultValue List<String> paths,
        @DefaultValue List<String> requiredPaths) {}
