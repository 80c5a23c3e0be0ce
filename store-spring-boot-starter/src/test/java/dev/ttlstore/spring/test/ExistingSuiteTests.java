package dev.ttlstore.spring.test;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that has a test suite gets the starter, and its tests are not changed. */
@Tag("slow")
class ExistingSuiteTests {

    private static final List<String> CONFIGURATION = List.of("-Dspring.config.name=orders");

    @TempDir
    private Path folder;

    @Test
    void aSuiteThatKnowsNothingOfTheStoreRunsAsBeforeAndLeavesNoFile() throws Exception {
        SuiteProcess before = SuiteProcess.start("org.example.orders", folder.resolve("before"), false, CONFIGURATION);
        SuiteProcess after = SuiteProcess.start("org.example.orders", folder.resolve("after"), true, CONFIGURATION);
        SuiteProcess.Outcome without = before.await();
        SuiteProcess.Outcome with = after.await();
        assertThat(without.output()).doesNotContain("The store is in");
        assertThat(without.tests()).as(without.output()).hasSizeGreaterThan(15).allSatisfy((test, result) -> assertThat(
                        result)
                .isEqualTo("SUCCESSFUL"));
        assertThat(with.tests()).as(with.output()).isEqualTo(without.tests());
        assertThat(with.contexts()).as(with.output()).isPositive().isEqualTo(without.contexts());
        assertThat(with.output()).contains("The store is in memory");
        assertThat(folder.resolve("after/work")).isEmptyDirectory();
    }
}
