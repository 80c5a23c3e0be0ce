package dev.ttlstore.spring.autoconfigure;

import java.nio.file.Path;

/**
 * The folder with backups from which a store restores its file at start-up if the file is missing.
 *
 * @param path the folder
 * @since 0.1
 * @see ConfiguredStore
 */
public record RestoreFolder(Path path) {}
