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
 * Has a method of a bean called for each entry of a group that expires, as {@link ExpiryEvents#onExpired} has a handler
 * called: at least once for each, also for what expires while the application is down, and again later when it throws. So
 * doing it twice must harm nothing.
 *
 * <pre>{@code
 * @OnExpiry(subscriber = "invitation-mail", group = "invites")
 * void remind(ExpiredEntry<Invite> invite) {
 *     mail.sendReminder(invite.value());
 * }
 * }</pre>
 *
 * <p>The method has one parameter, an {@link ExpiredEntry} or the value alone, which says what the values are; it returns
 * nothing, and may throw anything; it must not be {@code @Async}. Either {@link #group()} or {@link #prefix()} is set. The
 * application does not start with a method that is not such. Names may have placeholders for properties, as
 * {@code "${invites.group}"}.
 *
 * <p>A method that needs no value takes an {@code ExpiredEntry<Void>}. Its value is null, whatever was stored; so the method is
 * called also for what cannot be decoded, or does not open where the group is encrypted.
 *
 * <p>Methods are called from when the context has started until it stops, by several threads at once. A lazy bean is created
 * for the first expiry.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnExpiry {

    /** In place of a name, none; no name has this character. */
    String NONE = "\0";

    /**
     * The name of the subscriber, 1 to 1,024 bytes of UTF-8. It is kept with the data, so it stays the same when the method is
     * renamed; each method has its own.
     *
     * @return the name
     */
    String subscriber();

    /**
     * The group whose entries are meant.
     *
     * @return the group's name
     */
    String group() default NONE;

    /**
     * How the names of the groups begin whose entries are meant.
     *
     * @return the beginning; empty for all groups
     */
    String prefix() default NONE;

    /**
     * The namespace of the scope in which the subscriber and the groups are.
     *
     * @return the namespace; empty for none, the store itself
     */
    String scope() default "";
}
