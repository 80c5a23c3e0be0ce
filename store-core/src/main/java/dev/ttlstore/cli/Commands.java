package dev.ttlstore.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.ttlstore.BackupResult;
import dev.ttlstore.CopyResult;
import dev.ttlstore.SharedStats;
import dev.ttlstore.Store;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.StoreStats;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.exception.StoreException;
import dev.ttlstore.exception.StoreSchemaException;
import dev.ttlstore.export.ExportResult;
import dev.ttlstore.export.ImportResult;
import dev.ttlstore.export.StoreExport;
import dev.ttlstore.export.StoreImport;
import dev.ttlstore.verification.RepairReport;
import dev.ttlstore.verification.VerificationProgress;
import dev.ttlstore.verification.VerificationReport;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** The commands. Each opens a store, calls the API, and prints what has come of it. Nothing purges or delivers meanwhile. */
@Command(
        name = "ttl-store",
        subcommands = HelpCommand.class,
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description = "Backs up, checks, exports and copies stores of TTL Store.",
        footer = {
            "",
            "A file has one owner: stop the application first, or let it make its backups itself.",
            "Opening a file of an earlier layout migrates it, and leaves a copy beside it.",
            "",
            "Exit codes: 0 success, 1 failure, 2 wrong arguments, 3 'check' has found something,",
            "or 'repair' has not saved everything."
        })
final class Commands {

    /** The exit code of a check that has found something, and of a repair that has not saved all. */
    private static final int FOUND = 3;

    private final InputStream input;
    private final Output output;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Shows where a failure comes from.")
    private boolean verbose;

    @Option(names = "--quiet", scope = ScopeType.INHERIT, description = "Shows no progress.")
    private boolean quiet;

    Commands(InputStream input, Output output) {
        this.input = input;
        this.output = output;
    }

    boolean isVerbose() {
        return verbose;
    }

    private static Store open(EngineFactory engine) {
        try {
            return Store.builder()
                    .engine(engine)
                    .purgeInterval(Duration.ZERO)
                    .expiryOnTime(false)
                    .cacheSize(0)
                    .open();
        } catch (StoreSchemaException e) { // its remedy is for applications
            throw new StoreException(
                    e.problem(),
                    "Check --schema and --user. The application creates the tables, or an administrator with schema.sql"
                            + " from the jar of the store",
                    e);
        }
    }

    private static double seconds(Duration elapsed) {
        return elapsed.toMillis() / 1000.0;
    }

    @Command(
            name = "backup",
            mixinStandardHelpOptions = true,
            description = "Makes a backup of a file. A database has its own, such as pg_dump.")
    int backup(
            @Mixin StoreLocation.Options option,
            @Parameters(paramLabel = "BACKUP", description = "The file to create.") Path target) {
        try (StoreLocation.Reached reached = option.place().existing();
                Store store = open(reached.engine());
                ProgressBar bar = output.bar(quiet, "bytes")) {
            BackupResult made =
                    store.backup(target, progress -> bar.show("Backup", progress.bytes(), progress.total()));
            bar.end();
            output.say("Made the backup %s: %,d bytes in %.1f s", made.path(), made.bytes(), seconds(made.elapsed()));
        }
        return 0;
    }

    @Command(
            name = "restore",
            mixinStandardHelpOptions = true,
            description = {
                "Makes a file of a backup. It must not exist.",
                "What is encrypted in it needs the keyset of then. No version is used twice."
            })
    int restore(
            @Mixin StoreLocation.Options option,
            @Parameters(
                            paramLabel = "BACKUP",
                            description = "A backup, or a folder that has some: then the newest of the file.")
                    Path backup) {
        StoreLocation place = option.place();
        Path newest = place.newestBackup(backup);
        try (Store store = open(place.sqlite().restoreFrom(newest))) {
            output.say("Restored %s from %s: %,d entries", place, newest, store.count());
        }
        return 0;
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = {
                "Reads everything in a store, and checks that it is sound. Changes nothing.",
                "The exit code is 3 if something was found."
            })
    int check(@Mixin StoreLocation.Options option) {
        StoreLocation place = option.place();
        VerificationReport report;
        try (ProgressBar bar = output.bar(quiet, "rows")) {
            Consumer<VerificationProgress> listener =
                    progress -> bar.show("Checking " + progress.step(), progress.rows());
            if (place.isFile()) { // also one that does not open any more
                report = place.existingFile().verify(listener);
            } else {
                try (StoreLocation.Reached reached = place.existing();
                        Store store = open(reached.engine())) {
                    report = store.verify(listener);
                }
            }
        }
        output.list(report.findings(), report.total());
        output.say(
                "%s: %,d rows, %s, in %.1f s",
                place,
                report.rows(),
                report.isSound()
                        ? "nothing found"
                        : String.format(
                                Locale.ROOT, report.total() == 1 ? "%d finding" : "%,d findings", report.total()),
                seconds(report.elapsed()));
        return report.isSound() ? 0 : FOUND;
    }

    @Command(
            name = "repair",
            mixinStandardHelpOptions = true,
            description = {
                "Repairs a damaged file: saves all rows that can be read, and builds the indexes again.",
                "The damaged file stays beside it. Compare with your newest backup.",
                "The exit code is 3 if rows may be lost, or were moved to a side file."
            })
    int repair(@Mixin StoreLocation.Options option) {
        StoreLocation place = option.place();
        RepairReport report;
        try (ProgressBar bar = output.bar(quiet, "rows")) {
            report = place.fileToRepair().repair(progress -> bar.show("Repairing " + progress.step(), progress.rows()));
        }
        output.list(report.findings(), report.total());
        if (report.original() == null) {
            output.say("%s is sound and was left as it is", report.file());
            return 0;
        }
        output.say("Repaired %s: %,d rows kept, in %.1f s", report.file(), report.kept(), seconds(report.elapsed()));
        output.say("The damaged file is now %s", report.original());
        if (report.sideFile() != null) {
            output.say("%,d rows were moved to %s, with their values", report.moved(), report.sideFile());
        }
        if (!report.complete()) {
            output.say("Not everything could be read, so rows may be lost");
        }
        return report.complete() && report.moved() == 0 ? 0 : FOUND;
    }

    /** Which entries are exported. */
    static final class Choice {

        @Option(names = "--group", paramLabel = "NAME", description = "Only this group; in a scope NAMESPACE:NAME.")
        private @Nullable String group;

        @Option(names = "--scope", paramLabel = "NAMESPACE", description = "Only the groups of this scope.")
        private @Nullable String scope;

        private StoreExport of(Store store) {
            StoreExport all = StoreExport.of(store);
            return group != null ? all.group(group) : scope != null ? all.scope(scope) : all;
        }
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = {
                "Exports live entries as lines of JSON. A run that did not end is continued.",
                "Encrypted values stay sealed; all others are in the file in plain text."
            })
    int export(
            @Mixin StoreLocation.Options option,
            @ArgGroup @Nullable Choice choice,
            @Parameters(paramLabel = "FILE", description = "The file to create, or - for the standard output.")
                    String target)
            throws IOException {
        try (StoreLocation.Reached reached = option.place().existing();
                Store store = open(reached.engine());
                ProgressBar bar = output.bar(quiet, "entries")) {
            StoreExport export = (choice == null ? StoreExport.of(store) : choice.of(store)).onProgress(bar::show);
            if (target.equals("-")) {
                ExportResult done = export.writeTo(output.stream());
                bar.end();
                output.err().printf(Locale.ROOT, "Exported %,d entries%n", done.entries());
            } else {
                ExportResult done = export.toFile(StoreLocation.path(target));
                bar.end();
                output.say(
                        "Exported %,d entries to %s: %,d bytes in %.1f s",
                        done.entries(), target, done.bytes(), seconds(done.elapsed()));
                if (done.continued() > 0) {
                    output.say("An earlier run had written %,d of them", done.continued());
                }
            }
        }
        return 0;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = {
                "Imports lines of JSON, as 'export' writes them, into a store that exists.",
                "All lines are checked first. Running it again continues."
            })
    int importLines(
            @Mixin StoreLocation.Options option,
            @Option(names = "--replace", description = "Replaces entries that differ; otherwise they are kept.")
                    boolean replace,
            @Parameters(paramLabel = "FILE", description = "The file, or - for the standard input.") String source) {
        try (StoreLocation.Reached reached = option.place().existing();
                Store store = open(reached.engine());
                ProgressBar bar = output.bar(quiet, "bytes")) {
            StoreImport lines = StoreImport.into(store).replaceExisting(replace).onProgress(bar::show);
            ImportResult done =
                    source.equals("-") ? lines.fromStream(input) : lines.fromFile(StoreLocation.path(source));
            bar.end();
            output.say(
                    "Imported %s in %.1f s: %,d created, %,d replaced, %,d were there, %,d kept because they differ,"
                            + " %,d left out because they have expired",
                    source.equals("-") ? "the standard input" : source,
                    seconds(done.elapsed()),
                    done.created(),
                    done.replaced(),
                    done.unchanged(),
                    done.kept(),
                    done.expired());
        }
        return 0;
    }

    @Command(
            name = "copy",
            mixinStandardHelpOptions = true,
            description = {
                "Copies a store to another place, of the same engine or another one, and compares both.",
                "Stop the application first. A run that did not end is continued."
            })
    int copy(@Mixin StoreLocation.Options option, @Mixin StoreLocation.TargetOptions to) {
        try (StoreLocation.Reached source = option.place().existing();
                StoreLocation.Reached target = to.place().creating();
                ProgressBar bar = output.bar(quiet, "rows")) {
            CopyResult copied = StoreCopy.from(source.engine())
                    .to(target.engine())
                    .onProgress(progress -> bar.show(
                            switch (progress.phase()) {
                                case COPYING -> "Copying";
                                case VERIFYING -> "Verifying";
                            },
                            progress.rows(),
                            progress.total()))
                    .run();
            bar.end();
            output.say(
                    "Copied %s to %s in %.1f s: %,d entries, %,d retained, %,d subscribers, %,d deliveries; checksum %s",
                    option.place(),
                    to.place(),
                    seconds(copied.elapsed()),
                    copied.entries(),
                    copied.retained(),
                    copied.subscribers(),
                    copied.deliveries(),
                    copied.checksum());
        }
        return 0;
    }

    @Command(name = "stats", mixinStandardHelpOptions = true, description = "Shows what a store holds.")
    int stats(@Mixin StoreLocation.Options option) {
        try (StoreLocation.Reached reached = option.place().existing();
                Store store = open(reached.engine())) {
            StoreStats stats = store.stats();
            output.say("store      %s", option.place());
            output.say("engine     %s", stats.engine());
            output.say("entries    %,d", stats.entries());
            output.say("expired    %,d, which no purge has removed yet", stats.expired());
            output.say("retained   %,d", stats.retained());
            output.say("groups     %,d", store.groups().count());
            output.say("size       %,d bytes", stats.fileBytes());
            output.say("log        %,d bytes", stats.walBytes());
            output.say("purge lag  %.1f s", seconds(stats.purgeLag()));
            SharedStats shared = stats.shared();
            if (shared != null) {
                output.say("instances  %,d others", shared.otherNodes());
            }
        }
        return 0;
    }

    /** The version of the library. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Commands.class.getPackage().getImplementationVersion();
            return new String[] {"TTL Store " + (version == null ? "(not from a jar)" : version)};
        }
    }
}
