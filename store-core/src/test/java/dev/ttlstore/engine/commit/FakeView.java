package dev.ttlstore.engine.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;

import dev.ttlstore.engine.ConflictException;
import dev.ttlstore.engine.GroupUsage;
import dev.ttlstore.engine.Namespaces;
import dev.ttlstore.engine.Reads;
import dev.ttlstore.engine.Row;
import dev.ttlstore.engine.RowKey;
import dev.ttlstore.engine.tree.TreeCommit;
import dev.ttlstore.engine.tree.TreeReads;
import dev.ttlstore.engine.tree.TreeState;

/** A view of a fake database that remembers what it has read, to be checked before the commit. */
public class FakeView extends TreeCommit {

    final FakeDatabase database;
    final TreeState base;
    private final Set<RowKey> keys = new HashSet<>();
    private final Set<String> namespaces = new HashSet<>();
    private final Map<String, Long> lowest = new HashMap<>();
    private boolean ranges;

    FakeView(FakeDatabase database, TreeState base, TreeState state) {
        super(database.clock(), database::nextSequence, state);
        this.database = database;
        this.base = base;
    }

    @Override
    public Loaded load(Collection<RowKey> rows, Collection<String> used) {
        keys.addAll(rows);
        namespaces.addAll(used);
        return super.load(rows, used);
    }

    @Override
    public Reads reads() {
        dependOnAll();
        return database.reads(this::state, LongUnaryOperator.identity(), () -> {});
    }

    @Override
    public long nextSequence(String group) {
        long number = super.nextSequence(group);
        lowest.merge(FakeDatabase.order(group), number, Math::min);
        return number;
    }

    /** Notes that ranges were read, or changed without naming their rows. */
    void dependOnAll() {
        ranges = true;
    }

    /** Throws if something that was read has changed, or if a later commit has taken a higher number than one of this view. */
    void require(TreeState now, Map<String, Long> taken) {
        if (now != base
                && (ranges || !rows(now).equals(rows(base)) || !usage(now).equals(usage(base)))) {
            throw new ConflictException("Something has changed since it was read");
        }
        lowest.forEach((order, number) -> {
            if (number <= taken.getOrDefault(order, 0L)) {
                throw new ConflictException("Another commit has taken a later number");
            }
        });
    }

    private Map<RowKey, Row> rows(TreeState of) {
        return new TreeReads(() -> of, database.clock()).get(keys, Reads.ALL);
    }

    private List<List<GroupUsage>> usage(TreeState of) {
        TreeReads reads = new TreeReads(() -> of, database.clock());
        return namespaces.stream()
                .map(namespace -> reads.usage(Namespaces.groups(namespace)))
                .toList();
    }
}
