package dev.ttlstore.postgresql;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;

/**
 * PostgreSQL's programs, {@code initdb}, {@code pg_ctl} and {@code postgres}: unpacked once per machine from the archive among the
 * test dependencies, or those in the folder that the system property {@code ttl-store.test.postgresql.programs} names. The programs
 * in the archive were compiled to be small ({@code -Os}), which makes them slower than those of a distribution.
 */
final class Binaries {

    static final boolean WINDOWS = os().contains("windows");

    private static final Path FOLDER = folder();

    private Binaries() {}

    /**
     * Creates the command that runs a program. PostgreSQL refuses to run as root, so root runs it in a user namespace of its own,
     * where it is nobody but may still read and write root's files.
     */
    static List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(FOLDER.resolve(WINDOWS ? program + ".exe" : program).toString());
        command.addAll(arguments);
        return command;
    }

    /** Returns the major version of the programs. */
    static int version() throws IOException {
        Matcher version = Pattern.compile("\\) (\\d+)").matcher(output("postgres", List.of("--version")));
        if (!version.find()) {
            throw new IOException("The programs do not tell their version");
        }
        return Integer.parseInt(version.group(1));
    }

    /** Runs a program to its end. */
    static void run(String program, List<String> arguments) throws IOException {
        String unused = output(program, arguments);
    }

    private static String output(String program, List<String> arguments) throws IOException {
        Process process = new ProcessBuilder(command(program, arguments))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(program + " failed with " + process.exitValue() + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + program + " ran", e);
        }
        return output;
    }

    private static Path folder() {
        String given = System.getProperty("ttl-store.test.postgresql.programs");
        return given == null ? unpacked().resolve("bin") : Path.of(given);
    }

    private static String os() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    }

    private static Path unpacked() {
        String system = WINDOWS ? "Windows" : os().contains("mac") ? "Darwin" : "Linux";
        String architecture = System.getProperty("os.arch", "");
        try (InputStream archive = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
                system, architecture.equals("amd64") ? "x86_64" : architecture)) {
            byte[] bytes = archive.readAllBytes();
            CRC32 checksum = new CRC32();
            checksum.update(bytes);
            Path parent = Files.createDirectories(
                    Path.of(System.getProperty("java.io.tmpdir", "."), "ttl-store-postgresql-binaries"));
            Path folder = parent.resolve(Long.toHexString(checksum.getValue()));
            if (!Files.exists(folder)) {
                // Under another name first, so that what another process finds is complete.
                Path fresh = Files.createTempDirectory(parent, "unpacking");
                unpack(bytes, fresh);
                moveUnlessThere(fresh, folder);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void moveUnlessThere(Path fresh, Path folder) throws IOException {
        try {
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
            ServerFolders.delete(fresh);
        }
    }

    private static void unpack(byte[] archive, Path folder) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new java.io.ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = folder.resolve(entry.getName()).normalize();
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                    continue;
                }
                Files.createDirectories(file.resolveSibling("."));
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else if (entry.isLink()) {
                    Files.createLink(file, folder.resolve(entry.getLinkName()).normalize());
                } else {
                    Files.copy(tar, file);
                    if ((entry.getMode() & 0100) != 0 && !file.toFile().setExecutable(true, false)) {
                        throw new IOException("not executable: " + file);
                    }
                }
            }
        }
    }
}
