package dev.ttlstore.jcache;

import java.nio.file.Path;

import javax.cache.Cache;
import javax.cache.CacheManager;

/** Changes a cache in a file, and waits to be killed. */
final class PuttingProgram {

    static final String DONE = "done";

    private PuttingProgram() {}

    public static void main(String[] arguments) throws Exception {
        CacheManager manager =
                new StoreCachingProvider().getCacheManager(Path.of(arguments[0]).toUri(), null);
        Cache<String, String> cache = Caches.texts(manager, Caches.texts());
        cache.put("a", "1");
        cache.put("a", "2");
        cache.put("c", "1");
        cache.remove("c");
        cache.invoke("b", (entry, parameters) -> {
            entry.setValue("invoked");
            return "";
        });
        System.out.println(DONE);
        System.in.read();
    }
}
