package dev.ttlstore;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Supplier;

/** Has classes of its own of the names that begin so, as Spring Boot's DevTools after a restart. */
public final class RestartedClasses extends URLClassLoader {

    private final String beginning;

    public RestartedClasses(Class<?> from) {
        super(
                new URL[] {from.getProtectionDomain().getCodeSource().getLocation()},
                RestartedClasses.class.getClassLoader());
        this.beginning = from.getName();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(beginning)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    /** Returns what is supplied while this is the context class loader. */
    public <T> T whileItIsTheContext(Supplier<T> supplier) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            return supplier.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
