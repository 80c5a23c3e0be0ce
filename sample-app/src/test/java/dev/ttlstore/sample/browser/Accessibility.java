package dev.ttlstore.sample.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks at a page as axe does, for what keeps people from using it. */
final class Accessibility {

    private static final Set<String> GRAVE = Set.of("serious", "critical");

    private static final String AXE = axe();

    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            axe.run().then(result => done(JSON.stringify(result.violations.map(violation => ({
                impact: violation.impact,
                found: violation.id + ': ' + violation.help,
                where: violation.nodes.map(node => node.html + ' ' + node.failureSummary)})))));
            """;

    private Accessibility() {}

    static void assertNothingGrave(Browser browser) {
        // The page's own policy lets no script in; the driver's are not the page's.
        browser.run("(() => {" + AXE + "; return true; })()");
        JsonNode violations = JsonMapper.shared().readTree(browser.runAsync(RUN).toString());
        List<JsonNode> grave = violations
                .valueStream()
                .filter(violation -> GRAVE.contains(violation.get("impact").asString()))
                .toList();
        assertThat(grave).as("what axe finds at %s", browser.path()).isEmpty();
    }

    private static String axe() {
        try (InputStream script = Objects.requireNonNull(Accessibility.class.getResourceAsStream("/axe.min.js"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
