package dev.ttlstore.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.PropertyMapping;
import org.springframework.boot.test.context.PropertyMapping.Skip;
import org.springframework.core.env.Environment;

/**
 * Gives a test class its own store in memory, and a {@link TestClock} to move. Use it with {@code @SpringBootTest} or a
 * slice such as {@code @WebMvcTest}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestStore
 * class InvitationsTests {
 *
 *     @Autowired
 *     private Store store;
 *
 *     @Autowired
 *     private TestClock clock;
 *
 *     @Test
 *     void anInvitationExpires() {
 *         String key = store.group("invites").add("ann@example.org", Duration.ofDays(10));
 *         clock.advance(Duration.ofDays(10));
 *         assertThat(store.group("invites").get(key)).isEmpty();
 *     }
 * }
 * }</pre>
 *
 * <p><b>The store</b> replaces the application's store, and opens no file and no database. It uses the application's codecs
 * and its {@code store.*} properties, except those about the file or the database. SQLite must be on the class path.
 * Each test class starts with a new store, so it has its own application context, which is closed after the class.
 * {@code @Nested} classes share the context of the enclosing class. With {@link #shareContext}, classes share a context
 * with its store and its clock. Encrypted groups use a new key, unless the application has a {@code ValueCipher} bean.
 *
 * <p>Entries remain from one method of a class to the next, because the application may write some at start-up. A test
 * that needs an empty store calls {@code store.deletePrefix("")} before each method.
 *
 * <p><b>The clock</b> stands still, so nothing expires by itself. It is the primary {@code Clock} and
 * {@code InstantSource} of the application, even if the application has a primary one. So every clock that is injected
 * without a qualifier shows the time of the store. The clock keeps its time from one method to the next, because a
 * store's time never runs backwards.
 *
 * <p>A slice also has JSON values, application events and {@code @OnExpiry} methods, but no purge job.
 *
 * @since 0.1
 * @see TestClock
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping(value = "store.test", skip = Skip.ON_DEFAULT_VALUE)
public @interface AutoConfigureTestStore {

    /**
     * Returns which stores to replace.
     *
     * @return all by default
     */
    Replace replace() default Replace.ANY;

    /**
     * Returns the time at which the clock starts.
     *
     * @return an instant, such as {@code 2030-01-01T00:00:00Z}; empty for the real time, to the millisecond
     */
    String startAt() default "";

    /**
     * Returns whether the class shares its application context, and so the store and the clock, with other classes
     * that have the same configuration. That saves starts. The class then finds the entries and the time of earlier
     * classes. A test that needs an empty store calls {@code store.deletePrefix("")} first.
     *
     * @return false by default: the class starts with a new store
     */
    @PropertyMapping(skip = Skip.YES)
    boolean shareContext() default false;

    /** The stores to replace. */
    enum Replace {

        /**
         * Replaces each bean that is declared as a {@code Store}, the starter's and the application's own, by a
         * separate store in memory. A bean declared as a class of the application that implements {@code Store} is
         * not replaced.
         */
        ANY,

        /**
         * Replaces the starter's store only. A store that the application declares is not replaced. It uses the
         * test's time if it takes its clock from the context.
         */
        AUTO_CONFIGURED,

        /**
         * Replaces no store. The application's stores open their files or databases. {@code store.test.replace=none} also sets
         * this for tests without the annotation.
         */
        NONE;

        private static final String PROPERTY = "store.test.replace";

        /** Returns the value from the annotation or the property. */
        static Replace in(Environment environment) {
            BindResult<Replace> set = Binder.get(environment).bind(PROPERTY, Replace.class);
            return set.isBound() ? set.get() : ANY;
        }
    }
}
