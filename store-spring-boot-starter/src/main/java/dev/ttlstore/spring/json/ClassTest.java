package dev.ttlstore.spring.json;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Tests whether a value consists of objects of exactly the classes that its type declares, and of values of them that come back. Then what
 * is known of the type is known of the value, and it need not be read back. It looks only where an object could be of a subclass, or a value
 * be one of the few that do not come back.
 */
interface ClassTest {

    /** For types that nothing can extend. */
    ClassTest PASSES = value -> true;

    /** For types that leave open what their values are. */
    ClassTest FAILS = value -> false;

    boolean passes(@Nullable Object value);

    /** Tests the elements of collections, arrays and optionals. */
    static ClassTest ofElements(ClassTest test) {
        return ofElements(PASSES, test);
    }

    /** Tests the keys of maps, and the elements of collections, maps, arrays and optionals. */
    static ClassTest ofElements(ClassTest keys, ClassTest test) {
        return keys == PASSES && test == PASSES ? PASSES : value -> elementsPass(keys, test, value);
    }

    private static boolean elementsPass(ClassTest keys, ClassTest test, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return allPass(keys, map.keySet()) && allPass(test, map.values());
        } else if (value instanceof Collection<?> values) {
            return allPass(test, values);
        } else if (value instanceof Object[] array) {
            return allPass(test, Arrays.asList(array));
        }
        return !(value instanceof Optional<?> some) || test.passes(some.orElse(null));
    }

    private static boolean allPass(ClassTest test, Collection<?> values) {
        if (test != PASSES) {
            for (Object each : values) {
                if (!test.passes(each)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Tests an object and its fields. It is created before the tests of its fields, which may refer to it. */
    final class OfObject implements ClassTest {

        private final Class<?> type;
        private List<OfField> fields = List.of();

        OfObject(Class<?> type) {
            this.type = type;
        }

        void setFields(List<OfField> fields) {
            this.fields = fields;
        }

        @Override
        public boolean passes(@Nullable Object value) {
            if (value == null) {
                return true;
            } else if (value.getClass() != type) {
                return false;
            }
            for (OfField each : fields) {
                if (!each.test().passes(BeanState.value(each.field(), value))) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * A field and the test of its value.
     *
     * @param field the field, accessible
     * @param test tests its value
     */
    record OfField(Field field, ClassTest test) {}
}
