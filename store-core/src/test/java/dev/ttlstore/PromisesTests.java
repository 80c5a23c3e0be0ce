package dev.ttlstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestTemplate;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import dev.ttlstore.contract.Promise;

import static org.assertj.core.api.Assertions.assertThat;

/** Each promise of the design is held by a test that names it. */
class PromisesTests {

    /** What the API cannot do yet, with the reason. A promise leaves this list with the issue that keeps it. */
    private static final Map<Integer, String> TO_COME = Map.of();

    @Test
    void eachPromiseIsNamedByATest() {
        SortedSet<Integer> expected =
                new TreeSet<>(IntStream.rangeClosed(1, 23).boxed().toList());
        expected.removeAll(TO_COME.keySet());
        assertThat(named()).containsExactlyElementsOf(expected);
    }

    private static SortedSet<Integer> named() {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter().importPackages("dev.ttlstore")) {
            for (JavaMethod method : type.getMethods()) {
                numbers.addAll(promises(method));
            }
        }
        return numbers;
    }

    private static List<Integer> promises(JavaMethod method) {
        boolean test = method.isMetaAnnotatedWith(Test.class) || method.isMetaAnnotatedWith(TestTemplate.class);
        List<Integer> numbers = new ArrayList<>();
        if (test) {
            Promise promise = method.isAnnotatedWith(Promise.class)
                    ? method.getAnnotationOfType(Promise.class)
                    : method.getOwner().tryGetAnnotationOfType(Promise.class).orElse(null);
            if (promise != null) {
                IntStream.of(promise.value()).forEach(numbers::add);
            }
        }
        return numbers;
    }
}
