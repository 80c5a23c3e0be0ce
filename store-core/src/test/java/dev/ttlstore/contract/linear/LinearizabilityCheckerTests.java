package dev.ttlstore.contract.linear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static dev.ttlstore.contract.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The checker itself, on histories written by hand. */
class LinearizabilityCheckerTests {

    private final List<Call<Optional<String>>> history = new ArrayList<>();

    @Test
    void answersInTurnAreExplainedByTheirOrder() {
        call(1, 2, "put", "1", "done");
        call(3, 4, "get", "", Optional.of("1"));
        call(5, 6, "take", "", Optional.of("1"));
        call(7, 8, "get", "", Optional.empty());
        assertThat(explained()).contains(history);
    }

    @Test
    void aReadBesideAWriteMaySeeWhatWasThereBeforeOrAfter() {
        call(1, 4, "put", "1", "done");
        call(2, 3, "get", "", Optional.empty());
        assertThat(explained()).isPresent();
        history.clear();
        call(1, 4, "put", "1", "done");
        call(2, 3, "get", "", Optional.of("1"));
        assertThat(explained()).isPresent();
    }

    @Test
    void aReadAfterAWriteMustNotMissIt() {
        call(1, 2, "put", "1", "done");
        call(3, 4, "get", "", Optional.empty());
        assertThat(explained()).isEmpty();
    }

    @Test
    void twoReadsBesideAWriteMustNotSeeTheNewValueFirst() {
        call(1, 2, "put", "1", "done");
        call(3, 10, "put", "2", "done");
        call(4, 5, "get", "", Optional.of("2"));
        call(6, 7, "get", "", Optional.of("1"));
        assertThat(explained()).isEmpty();
    }

    @Test
    void aValueMustNotComeFromNowhere() {
        call(1, 2, "put", "1", "done");
        call(3, 4, "get", "", Optional.of("2"));
        assertThat(explained()).isEmpty();
    }

    @Test
    void twoTakersMustNotGetOneValue() {
        call(1, 2, "put", "1", "done");
        call(3, 6, "take", "", Optional.of("1"));
        call(4, 5, "take", "", Optional.of("1"));
        assertThat(explained()).isEmpty();
    }

    @Test
    void twoTakersMayGetTwoValues() {
        call(1, 2, "put", "1", "done");
        call(3, 8, "take", "", Optional.of("1"));
        call(4, 5, "put", "2", "done");
        call(6, 7, "take", "", Optional.of("2"));
        assertThat(explained()).isPresent();
    }

    @Test
    void aMistakenGuessOfTheOrderIsTakenBack() {
        call(1, 10, "put", "1", "done");
        call(2, 9, "put", "2", "done");
        call(3, 8, "put", "3", "done");
        call(11, 12, "take", "", Optional.of("1"));
        assertThat(explained().orElseThrow()).last().isSameAs(history.get(3));
    }

    @Test
    void manyCallsAtOnceAreSearchedInReasonableTime() {
        for (int i = 0; i < 30; i++) {
            call(i, 100 + i, "contains", "", true);
            call(i, 100 + i, "delete", "", false);
        }
        call(40, 140, "put", "1", "done");
        assertThat(explained()).isPresent();
        history.remove(60);
        assertThat(explained()).isEmpty();
    }

    @Test
    void aHistoryThatIsTooLongIsRefused() {
        for (long i = 0; i < 64; i++) {
            call(2 * i, 2 * i + 1, "get", "", Optional.empty());
        }
        assertThatIllegalArgumentException().isThrownBy(this::explained);
    }

    private Optional<List<Call<Optional<String>>>> explained() {
        return LinearizabilityChecker.explain(Optional.empty(), history);
    }

    private void call(long began, long ended, String operation, String value, Object answer) {
        KeyOperation.Model model = KeyOperations.named(operation).model();
        Values values = new Values(value, "");
        history.add(new Call<>("thread", operation, answer, began, ended, state -> model.run(state, values)));
    }
}
