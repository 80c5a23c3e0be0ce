package dev.ttlstore.jcache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import org.junit.jupiter.api.Test;

import dev.ttlstore.contract.Promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The calls of an asynchronous listener. */
@Promise(24)
class SerialQueueTests {

    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> called = new ArrayList<>();
    private boolean noThreads;
    private final SerialQueue queue = new SerialQueue(work -> {
        if (noThreads) {
            throw new OutOfMemoryError("unable to create native thread, on purpose");
        }
        threads.add(work);
    });

    @Test
    void anErrorOfOneCallKeepsNoOtherFromBeingMade() {
        queue.add(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        queue.add(() -> called.add("second"));
        threads.remove().run();
        queue.add(() -> called.add("third"));
        threads.remove().run();
        assertThat(called).containsExactly("second", "third");
    }

    @Test
    void whatFindsNoThreadIsCalledWithTheNext() {
        noThreads = true;
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> queue.add(() -> called.add("first")));
        noThreads = false;
        queue.add(() -> called.add("second"));
        threads.remove().run();
        assertThat(called).containsExactly("first", "second");
    }
}
