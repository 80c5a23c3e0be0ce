package dev.ttlstore.sqlite.crash;

import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What one thread of a process does, step by step: the same for the same seed, beginning and answers, so that the process
 * which writes and the one that checks need not tell each other. The parts of a step are begun together and change
 * different places; the next step begins when all of them are done.
 */
final class Plan {

    private final SortedMap<Place, State> own;
    private final Random random;
    private final List<Supplier<List<Part>>> steps;

    /**
     * Makes a plan.
     *
     * @param own what stands at the thread's places when it begins
     */
    Plan(long seed, int thread, SortedMap<Place, State> own) {
        this.own = new TreeMap<>(own);
        this.random = new Random(seed * 31 + thread);
        Hand hand = new Hand(thread, random, this.own);
        SoleWrites sole = new SoleWrites(hand);
        JointWrites joint = new JointWrites(hand);
        ScopeWrites scope = new ScopeWrites(hand);
        BriefWrites brief = new BriefWrites(hand);
        this.steps = List.of(
                one(sole::put),
                one(sole::put),
                one(sole::putIfAbsent),
                one(sole::replace),
                one(sole::replaceVersion),
                one(sole::update),
                one(sole::delete),
                one(sole::take),
                one(sole::expire),
                one(sole::persist),
                one(sole::increment),
                one(sole::increment),
                one(joint::pair),
                one(joint::pair),
                one(joint::transfer),
                one(joint::transfer),
                one(joint::undone),
                one(joint::putAll),
                one(joint::putAll),
                one(joint::clear),
                one(joint::deleteGroup),
                one(joint::deletePrefix),
                joint::burst,
                joint::burst,
                one(scope::put),
                one(scope::put),
                one(scope::delete),
                one(scope::empty),
                one(scope::putForTeam),
                one(scope::deleteForTeam),
                one(brief::put),
                one(brief::put),
                one(brief::renew),
                one(brief::purge));
    }

    private static Supplier<List<Part>> one(Supplier<Part> part) {
        return () -> List.of(part.get());
    }

    List<Part> next() {
        return steps.get(random.nextInt(steps.size())).get();
    }

    /** Takes note that a part had its effect. */
    void took(Part part) {
        part.applyTo(own);
    }

    /** What stands at the thread's places by now. */
    SortedMap<Place, State> own() {
        return own;
    }
}
