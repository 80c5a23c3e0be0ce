package dev.ttlstore.spring.diagnostics;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What a user reads when the application does not start because of a property that is misread or misspelt. */
@ExtendWith(OutputCaptureExtension.class)
class PropertyFailureAnalysisTests {

    @TempDir
    private Path folder;

    @Test
    void aDurationWithoutAUnitIsToldWithItsPropertyItsValueAndHowToWriteIt(CapturedOutput output) {
        FailingStart.at(folder.resolve("store.db"))
                .with("--store.groups.invites.ttl=10")
                .run();
        Report report = Report.in(output);
        assertThat(report.description())
                .contains(
                        "'store.groups.invites.ttl'",
                        "'10'",
                        "commandLineArgs",
                        "a duration needs a unit: write '10s', '10m'");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void unknownSettingsOfGroupsAndScopesAreToldAtOnceWithTheNearestThatExist(CapturedOutput output) {
        FailingStart.at(folder.resolve("store.db"))
                .with("--store.groups.invites.tll=10d")
                .with("--store.scopes.acme.max-keys=5")
                .run();
        Report report = Report.in(output);
        assertThat(report.description())
                .contains(
                        "The property 'store.groups.invites.tll'",
                        "commandLineArgs",
                        "the nearest name is 'store.groups.invites.ttl'.",
                        "The property 'store.scopes.acme.max-keys'",
                        "the nearest name is 'store.scopes.acme.quota.max-keys'.");
        assertThat(report.action())
                .contains(
                        "Correct the name", "'store.groups.<name>' are 'ttl', 'max-age'", "'store.scopes.<name>' are");
        assertThat(folder).isEmptyDirectory();
    }
}
