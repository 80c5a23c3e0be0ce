package dev.ttlstore.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Assumptions;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A file system of a few megabytes for one test, where this user may mount one; elsewhere the test is skipped and says so. */
public final class SmallDisk implements AutoCloseable {

    private static final int MEGABYTE = 1_000_000;

    private final Path folder;
    private final List<String> mount;

    private SmallDisk(Path folder, List<String> mount) {
        this.folder = folder;
        this.mount = mount;
    }

    /** In memory: its size holds to the page. */
    public static SmallDisk inMemory(Path parent, int megabytes) throws IOException {
        return mounted(parent, List.of("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs"));
    }

    /** In memory, and nothing on it may be run. */
    public static SmallDisk withoutPrograms(Path parent, int megabytes) throws IOException {
        return mounted(parent, List.of("mount", "-t", "tmpfs", "-o", "noexec,size=" + megabytes + "m", "tmpfs"));
    }

    /** With a file system of disks, which can be made to fail. */
    public static SmallDisk inImage(Path parent, int megabytes) throws IOException {
        Path image = parent.resolve("image");
        Files.write(image, new byte[megabytes * MEGABYTE]);
        assume(run(List.of("mkfs.ext4", "-q", "-F", image.toString())));
        return mounted(parent, List.of("mount", "-o", "loop", image.toString()));
    }

    private static SmallDisk mounted(Path parent, List<String> mount) throws IOException {
        SmallDisk disk = new SmallDisk(Files.createDirectory(parent.resolve("disk")), mount);
        assume(disk.mount());
        return disk;
    }

    private static void assume(String failure) {
        Assumptions.assumeTrue(
                failure.isEmpty(), "A file system for this test cannot be mounted by this user: " + failure);
    }

    private String mount() throws IOException {
        List<String> command = new ArrayList<>(mount);
        command.add(folder.toString());
        return run(command);
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Takes all the room that is left, until the file that is returned is deleted. */
    public Path fill() throws IOException {
        Path filler = folder.resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] block = new byte[1_024];
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            return filler; // full
        }
    }

    /** From now on nothing can be written, though files are open: what a system does when a disk reports errors. */
    public void fail() throws IOException {
        require("mount", "-o", "remount,abort", folder.toString());
    }

    public void makeReadOnly() throws IOException {
        require("mount", "-o", "remount,ro", folder.toString());
    }

    public void makeWritable() throws IOException {
        require("mount", "-o", "remount,rw", folder.toString());
    }

    /** What is not on the disk by now is lost. */
    public void remount() throws IOException {
        require("umount", folder.toString());
        String failure = mount();
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
    }

    /** Makes files unchangeable, for root and for those who have them open, too; or changeable again. */
    public void protect(boolean on, Path... files) throws IOException {
        for (Path file : files) {
            require("chattr", on ? "+i" : "-i", file.toString());
        }
    }

    @Override
    public void close() throws IOException {
        if (!run(List.of("umount", folder.toString())).isEmpty()) {
            require("umount", "-l", folder.toString()); // a failed test may have left a store open
        }
    }

    private static void require(String... command) throws IOException {
        String failure = run(List.of(command));
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
    }

    /** What the command said when it failed; nothing when it did not. */
    private static String run(List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return "there is no command " + command.get(0);
        }
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            return process.waitFor() == 0 ? "" : command.get(0) + " says: " + said.trim() + " ";
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
