package dev.ttlstore.engine.commit;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.ttlstore.engine.Batch;
import dev.ttlstore.engine.Command;
import dev.ttlstore.engine.CommitObserver;
import dev.ttlstore.engine.CommitSettings;
import dev.ttlstore.engine.Committed;
import dev.ttlstore.engine.Engine;
import dev.ttlstore.engine.EngineSnapshot;
import dev.ttlstore.engine.GroupRange;
import dev.ttlstore.engine.Quotas;
import dev.ttlstore.engine.RowChange;
import dev.ttlstore.engine.WriteSet;

import static java.util.Objects.requireNonNull;

/** Writes to an engine without a store. */
public final class EngineWrites {

    private EngineWrites() {}

    /** Stores rows as they are, in one commit. */
    public static void store(Engine engine, RowChange... changes) {
        try (EngineSnapshot snapshot = engine.snapshot()) {
            WriteSet writes = new WriteSet(snapshot.now(), List.of(changes), List.of(), List.of());
            engine.apply(new Batch.Decided(settings(engine, List.of()), writes, snapshot), CommitObserver.NONE);
        }
    }

    /** Runs a command. */
    @SuppressWarnings("unchecked") // an engine answers with the result of the command
    public static <R> R run(Engine engine, Command<R> command, GroupRange... retained) {
        AtomicReference<Committed> seen = new AtomicReference<>();
        engine.apply(new Batch.Run(settings(engine, List.of(retained)), command), new CommitObserver() {
            @Override
            public void committed(Committed committed) {
                seen.set(committed);
            }
        });
        return (R) requireNonNull(requireNonNull(seen.get()).result());
    }

    private static CommitSettings settings(Engine engine, List<GroupRange> retained) {
        return CommitSettings.of(retained, new Quotas(), engine.clock());
    }
}
