package dev.ttlstore.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * A queue, first in first out. Adding a node needs no memory, because none may be lost for want of it. Thread-safe.
 *
 * @param <N> the type of the nodes; each is in one queue at a time
 */
public final class NodeQueue<N extends NodeQueue.Node<N>> {

    private volatile @Nullable N first;
    private @Nullable N last;

    /** Creates an empty queue. */
    public NodeQueue() {}

    /**
     * What a queue holds.
     *
     * @param <N> the type of the nodes
     */
    public abstract static class Node<N extends Node<N>> {
        private @Nullable N next;

        /** Creates a node that is in no queue. */
        protected Node() {}
    }

    /**
     * Adds a node.
     *
     * @param node the node, which is in no queue
     */
    public synchronized void add(N node) {
        N before = last;
        if (before == null) {
            first = node;
        } else {
            Node<N> link = before;
            link.next = node;
        }
        last = node;
    }

    /**
     * Tests whether there is no node.
     *
     * @return whether it is empty
     */
    public boolean isEmpty() {
        return first == null;
    }

    /**
     * Returns the first node.
     *
     * @return the first one, which stays; null if there is none
     */
    public @Nullable N peek() {
        return first;
    }

    /**
     * Takes the first node.
     *
     * @return the first one; null if there is none
     */
    public synchronized @Nullable N poll() {
        N taken = first;
        if (taken != null) {
            Node<N> link = taken;
            first = link.next;
            link.next = null;
            if (first == null) {
                last = null;
            }
        }
        return taken;
    }

    /**
     * Removes a node if it is the first one.
     *
     * @param node the node
     */
    public synchronized void removeFirst(N node) {
        if (first == node) {
            N unused = poll();
        }
    }
}
