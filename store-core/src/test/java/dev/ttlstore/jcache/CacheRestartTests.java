package dev.ttlstore.jcache;

import java.nio.file.Path;

import javax.cache.Cache;
import javax.cache.CacheManager;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.ttlstore.contract.Promise;
import dev.ttlstore.sqlite.ChildJvm;

import static dev.ttlstore.contract.Assertions.assertThat;

/** A cache in a file after its process was killed. */
@Tag("crash")
class CacheRestartTests {

    @TempDir
    Path folder;

    @Test
    @Promise(11)
    void whatWasPutIsThereAfterAKill() throws Exception {
        Path file = folder.resolve("caches.db");
        try (ChildJvm process = ChildJvm.start(PuttingProgram.class, file)) {
            assertThat(process.await(PuttingProgram.DONE)).isEmpty();
            process.kill();
        }
        StoreCachingProvider provider = new StoreCachingProvider();
        CacheManager manager = provider.getCacheManager(file.toUri(), null);
        Cache<String, String> cache = Caches.texts(manager, Caches.texts());
        assertThat(cache.get("a")).isEqualTo("2");
        assertThat(cache.get("b")).isEqualTo("invoked");
        assertThat(cache.containsKey("c")).isFalse();
        provider.close();
    }
}
