package dev.ttlstore.postgresql;

import java.nio.file.Path;

import org.postgresql.ds.PGSimpleDataSource;

import dev.ttlstore.CopyResult;
import dev.ttlstore.StoreCopy;
import dev.ttlstore.engine.EngineFactory;
import dev.ttlstore.sqlite.Sqlite;

/**
 * Copies a store, and may halt at a step as if it was killed there. Its arguments are the step (0 for none), the source and the
 * target: a file, or URL, user and schema, each behind a space.
 */
final class CopyingProgram {

    private CopyingProgram() {}

    public static void main(String[] arguments) {
        int[] left = {Integer.parseInt(arguments[1])};
        CopyResult result = StoreCopy.from(place(arguments[2]))
                .to(place(arguments[3]))
                .onProgress(progress -> {
                    if (--left[0] == 0) {
                        System.out.println("halting");
                        System.out.flush();
                        Runtime.getRuntime().halt(9);
                    }
                })
                .run();
        System.out.println("copied " + result.entries());
        System.out.flush();
    }

    static String place(PGSimpleDataSource source, String schema) {
        return source.getUrl() + " " + source.getUser() + " " + schema;
    }

    private static EngineFactory place(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length == 1) {
            return Sqlite.file(Path.of(text));
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(parts[0]);
        source.setUser(parts[1]);
        return PostgreSql.on(source).schema(parts[2]);
    }
}
