package dev.ttlstore.sample.browser;

import java.net.URI;
import java.util.List;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.Logs;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What a browser has noted: complaints of pages, and requests. */
final class BrowserLog {

    /**
     * That an answer says no is what many tests are about; it is noted, but no mistake of the page. So is that live events are
     * not to be had for a while.
     */
    private static final Pattern REFUSAL = Pattern.compile(
            "(?:Failed to load resource: the server responded with a status of"
                    + " (?:400|401|403|404|405|409|410|413|422|429))|(?:/teams/[a-z]+/events\\S* - Failed to load resource: .* 503)");

    /** What the store makes as keys. They are in links, behind the #, which is not sent. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{24}");

    private final Logs logs;

    BrowserLog(Logs logs) {
        this.logs = logs;
    }

    void clear() {
        logs.get(LogType.BROWSER);
        logs.get(LogType.PERFORMANCE);
    }

    void assertNothingWentWrong(String root) {
        // What the page's policy has forbidden is among them.
        assertThat(complaints()).as("complaints in the console").isEmpty();
        assertThat(requests())
                .as("requests, to this host alone and without keys")
                .allSatisfy(url -> assertThat(url).startsWith(root + "/").doesNotContainPattern(KEY));
    }

    void assertNoAddressHas(String text) {
        assertThat(requests()).as("requests without '%s'", text).isNotEmpty().noneMatch(url -> url.contains(text));
    }

    private List<String> complaints() {
        return entries(LogType.BROWSER)
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .filter(message -> !REFUSAL.matcher(message).find())
                .toList();
    }

    private List<String> requests() {
        return entries(LogType.PERFORMANCE)
                .map(entry -> JsonMapper.shared().readTree(entry.getMessage()).get("message"))
                .filter(message -> message.get("method").asString().equals("Network.requestWillBeSent"))
                .map(message -> message.at("/params/request/url").asString())
                .filter(url -> !List.of("about", "data", "chrome")
                        .contains(URI.create(url).getScheme()))
                .toList();
    }

    private Stream<LogEntry> entries(String type) {
        return StreamSupport.stream(logs.get(type).spliterator(), false);
    }
}
