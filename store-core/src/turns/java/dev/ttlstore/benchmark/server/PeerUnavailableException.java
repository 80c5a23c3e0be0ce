package dev.ttlstore.benchmark.server;

/** Says that a measurement is left out, because what it needs is not on this machine. */
public final class PeerUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says why. There is no stack trace: JMH would print it, and it is nobody's fault. */
    public PeerUnavailableException(String message) {
        super(message, null, false, false);
    }
}
