package dev.ttlstore.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.verification.RepairReport;

import static dev.ttlstore.contract.Assertions.assertThat;
import static java.util.Objects.requireNonNull;

/** A file that a test damages and repairs. */
abstract class RepairedFile {

    @TempDir
    Path folder;

    Path file = Path.of("unset");

    @BeforeEach
    final void nameFile() throws IOException {
        file = folder.toRealPath().resolve("store.db");
    }

    final RepairReport repair() {
        RepairReport report = Sqlite.file(file).repair(progress -> {});
        assertThat(Sqlite.file(file).verify(progress -> {}).findings()).isEmpty();
        return report;
    }

    final List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::getFileName).sorted().toList();
        }
    }

    static List<String> sideLines(RepairReport report) throws IOException {
        return Files.readAllLines(requireNonNull(report.sideFile()));
    }
}
