package dev.ttlstore.postgresql;

/** Runs queries: each on a connection of its own, or all in one transaction. */
interface Runner {

    /** Creates an empty script. */
    Script script();

    /** Runs a script in one round trip. */
    void run(Script script);

    /** Runs on connections of their own. */
    static Runner of(Connections connections) {
        return new Runner() {
            @Override
            public Script script() {
                return connections.script();
            }

            @Override
            public void run(Script script) {
                connections.read(script);
            }
        };
    }
}
