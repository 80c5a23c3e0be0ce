package dev.ttlstore.spring.expiry;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

import dev.ttlstore.ExpiryEvents;
import dev.ttlstore.expiry.ExpiredEntry;

/**
 * Calls the annotated method for each entry of a group that expires. The store calls it at least once for each expiry,
 * also for entries that expire while the application is down, and retries if the method throws. So the method must be
 * idempotent. The contract is that of {@link ExpiryEvents#onExpired}.
 *
 * <pre>{@code
 * record Invite(String mail) {}
 *
 * @OnExpiry(subscriber = "invitation-mail", group = "invites")
 * void remind(ExpiredEntry<Invite> invite) {
 *     log.info("Remind {}", invite.value().mail());
 * }
 * }</pre>
 *
 * <p>The method has one parameter, an {@link ExpiredEntry} or the value itself, which declares the type of the
 * values. It returns nothing, may throw any exception, and must not be {@code @Async}. Set either {@link #group()} or
 * {@link #prefix()}. If a method does not follow these rules, the application does not start. Names may contain
 * placeholders, such as {@code "${invites.group}"}.
 *
 * <p>A method that needs no value takes an {@code ExpiredEntry<Void>}, whose value is always null. It is also called
 * for values that cannot be decoded or decrypted.
 *
 * <p>Methods are called from the end of the context's start until it stops, on several threads concurrently. A lazy
 * bean is created at its first expiry.
 *
 * @since 0.1
 * @see ExpiredEntry
 * @see ExpiryEvents
 * @see dev.ttlstore.spring.test.TestClock
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnExpiry {

    /** The default of a name, none. No name contains this character. */
    String NONE = "\0";

    /**
     * Returns the name of the subscriber, 1 to 1,024 bytes of UTF-8. It is stored with the data, so keep it when you
     * rename the method. Each method needs a different one.
     *
     * @return the name
     */
    String subscriber();

    /**
     * Returns the group whose expiries are handled, or a pattern as in {@code store.encryption.groups}:
     * {@code "*:secrets"} for the group {@code secrets} of every scope, {@code "*"} for all groups. A pattern needs an
     * empty {@link #scope()}, and {@code ExpiredEntry.group()} is then the full name.
     *
     * @return the name of the group, or the {@linkplain dev.ttlstore.GroupPattern pattern}
     */
    String group() default NONE;

    /**
     * Returns the prefix of the names of the groups whose expiries are handled.
     *
     * @return the prefix; empty for all groups
     */
    String prefix() default NONE;

    /**
     * Returns the namespace of the scope that contains the subscriber and the groups.
     *
     * @return the namespace; empty for the store itself
     */
    String scope() default "";
}
