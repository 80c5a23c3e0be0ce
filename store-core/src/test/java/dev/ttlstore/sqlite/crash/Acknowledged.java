package dev.ttlstore.sqlite.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a process has said about its writes before it was killed. */
final class Acknowledged {

    private final Map<Answered, Boolean> answers = new HashMap<>();
    private long lastSequence;

    /** A part of a step of a thread. */
    private record Answered(int thread, int step, int part) {}

    /** Takes note of a line, and tells whether it was an acknowledgement. */
    boolean note(String line) {
        if (!line.endsWith(CrashingProgram.END)) {
            return false;
        }
        String[] words = line.split(" ", -1);
        if (words[0].equals(CrashingProgram.WRONG)) {
            throw new AssertionError("The process says: " + line);
        }
        if (!words[0].equals(CrashingProgram.DONE)) {
            return false;
        }
        Answered answered =
                new Answered(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        answers.put(answered, Boolean.valueOf(words[4]));
        lastSequence = Math.max(lastSequence, Long.parseLong(words[5]));
        return true;
    }

    /** What a part has answered; empty if it was under way, or never begun. */
    Optional<Boolean> answer(int thread, int step, int part) {
        return Optional.ofNullable(answers.get(new Answered(thread, step, part)));
    }

    long lastSequence() {
        return lastSequence;
    }

    int count() {
        return answers.size();
    }
}
