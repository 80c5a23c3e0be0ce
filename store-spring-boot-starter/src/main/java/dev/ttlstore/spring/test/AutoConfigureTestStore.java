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
 * Gives a test class a store of its own, in memory, and a {@link TestClock} to move, beside {@code @SpringBootTest} or a
 * slice such as {@code @WebMvcTest}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestStore
 * class InvitationsTests {
 *
 *     @Autowired
 *     private TestClock clock;
 *     ...
 * }
 * }</pre>
 *
 * <p><b>The store</b> takes the place of the application's: no file is opened. It has the codecs and the {@code store.*}
 * properties of the application, those that are not about the file. Each test class begins with a new one, and so with an
 * application context of its own, which is closed behind the class; {@code @Nested} classes share that of the class
 * around them. With {@link #shareContext} classes share a context, its store and its clock. Within a class entries stay from one method to the next, for what the application writes at its start belongs
 * to the store, too; a test that wants none calls {@code store.deletePrefix("")} before each method. Groups that are
 * encrypted are so with keys of its own, unless the application has a {@code ValueCipher} bean.
 *
 * <p><b>The clock</b> stands still, so nothing expires by itself. It is the primary {@code Clock} and
 * {@code InstantSource} of the application, in place of a primary one that the application may have, so that all that is not
 * injected by a qualifier goes by the time of the store. It goes on from one method to the next, for a store's time never
 * runs backwards.
 *
 * <p>In a slice there are JSON values, application events and {@code @OnExpiry} methods as well, but no purge job.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping(value = "store.test", skip = Skip.ON_DEFAULT_VALUE)
public @interface AutoConfigureTestStore {

    /**
     * Which stores to replace.
     *
     * @return all, unless set
     */
    Replace replace() default Replace.ANY;

    /**
     * The time at which the clock starts.
     *
     * @return an instant, such as {@code 2030-01-01T00:00:00Z}; empty for the real time, to the millisecond
     */
    String startAt() default "";

    /**
     * Whether the class shares its application context, and so the store and the clock, with other classes that have the same
     * configuration. That saves starts. The class then finds the entries and the time that those before it have left, so a
     * test that wants none calls {@code store.deletePrefix("")} first.
     *
     * @return false, unless set: the class begins with a new store
     */
    @PropertyMapping(skip = Skip.YES)
    boolean shareContext() default false;

    /** Which stores are replaced. */
    enum Replace {

        /**
         * Each bean that is declared as a {@code Store}, be it the starter's or the application's own, by a store in memory of
         * its own. A bean of a class of the application that implements {@code Store} is left as it is.
         */
        ANY,

        /**
         * The starter's store alone. One of the application's own is left as it is; it goes by the test's time if it takes
         * its clock from the context.
         */
        AUTO_CONFIGURED,

        /**
         * None. The stores are those of the application, with their files. Set for all tests by
         * {@code store.test.replace=none}, it holds for those without the annotation as well.
         */
        NONE;

        private static final String PROPERTY = "store.test.replace";

        /** What the annotation or the property says. */
        static Replace in(Environment environment) {
            BindResult<Replace> set = Binder.get(environment).bind(PROPERTY, Replace.class);
            return set.isBound() ? set.get() : ANY;
        }
    }
}
