package dev.ttlstore.postgresql;

/** Threads that do not keep the JVM alive. */
final class Threads {

    /** What a thread does, until it is interrupted or done. */
    interface Task {
        void run() throws InterruptedException;
    }

    private Threads() {}

    static Thread start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
