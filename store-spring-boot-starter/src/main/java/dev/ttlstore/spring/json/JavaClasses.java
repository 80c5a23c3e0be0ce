package dev.ttlstore.spring.json;

/** The classes of Java itself, into which nobody may look. */
final class JavaClasses {

    private JavaClasses() {}

    static boolean contain(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }
}
