package dev.ttlstore.internal.base;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;

class NodeQueueTests {

    private final NodeQueue<Named> queue = new NodeQueue<>();

    private static final class Named extends NodeQueue.Node<Named> {}

    @Test
    void nodesComeInTheOrderInWhichTheyWereAddedAndMayComeAgain() {
        Named first = new Named();
        Named second = new Named();
        queue.add(first);
        queue.add(second);
        assertThat(queue.poll()).isSameAs(first);
        queue.add(first);
        assertThat(queue.peek()).isSameAs(second);
        assertThat(queue.poll()).isSameAs(second);
        assertThat(queue.poll()).isSameAs(first);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        queue.add(second);
        assertThat(queue.poll()).isSameAs(second);
    }
}
