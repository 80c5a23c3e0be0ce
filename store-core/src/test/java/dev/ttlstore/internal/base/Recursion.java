package dev.ttlstore.internal.base;

import java.util.concurrent.CountDownLatch;

import dev.ttlstore.contract.Threads;

/** Code of the application that is deep in a recursion when the store's state is asked for. */
final class Recursion {

    private Recursion() {}

    static void waitIn(int depth, CountDownLatch begun, CountDownLatch release) {
        if (depth > 0) {
            waitIn(depth - 1, begun, release);
        } else {
            begun.countDown();
            Threads.await(release);
        }
    }
}
