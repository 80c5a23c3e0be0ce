package dev.ttlstore.engine.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.ttlstore.Store;
import dev.ttlstore.StoreBuilder;
import dev.ttlstore.contract.StoreContract;

import static dev.ttlstore.contract.Assertions.assertThat;

/** The engine that docs/writing-an-engine.md explains keeps all promises but those of a file. */
class TreeEngineTests extends StoreContract {

    private static final Pattern NO_CODE = Pattern.compile("\\s*((package|import|//|/?\\*).*)?");

    @Override
    protected StoreBuilder builder() {
        return Store.builder().engine(TreeEngine::new);
    }

    @Test
    void theEngineHasAtMost250Lines() throws IOException {
        long lines = 0;
        Path sources = Path.of("src/test/java/dev/ttlstore/engine/tree");
        for (String name : new String[] {"TreeEngine", "TreeReads", "TreeCommit", "TreeState"}) {
            try (Stream<String> all = Files.lines(sources.resolve(name + ".java"))) {
                lines += all.filter(line -> !NO_CODE.matcher(line).matches()).count();
            }
        }
        assertThat(lines).isLessThanOrEqualTo(250);
    }
}
