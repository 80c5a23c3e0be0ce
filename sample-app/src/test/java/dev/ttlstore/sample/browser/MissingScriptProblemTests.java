package dev.ttlstore.sample.browser;

import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Without their script, the pages give a form back after every mistake, with what was typed. */
@BrowserTest
@Tag("page")
class MissingScriptProblemTests {

    private static final String SECRET = "hunter2secret";

    @Autowired
    private Store store;

    @BeforeEach
    void withoutScript(Browser browser) {
        browser.block("*.js");
    }

    private static String link(Browser browser, String passphrase) {
        String location = new SampleClient(browser.port())
                .post(
                        "/api/teams/acme/secrets",
                        "{\"value\": \"" + SECRET + "\", \"ttl\": \"PT1H\", \"passphrase\": \"" + passphrase + "\"}")
                .header("Location");
        return browser.root() + "/reveal#acme/" + location.substring(location.lastIndexOf('/') + 1);
    }

    private static void reveal(Browser browser, String link, String passphrase) {
        browser.type("#pasted", link);
        browser.type("#pasted-passphrase", passphrase);
        browser.click("#reveal-by-hand");
    }

    @Test
    void aReaderTriesAnotherPassphrase(Browser browser) {
        String link = link(browser, "swordfish");
        browser.open("/reveal");
        reveal(browser, link, "wrong");
        browser.seeText("#problem", "passphrase is wrong. The secret is still unread");
        assertThat(browser.value("#pasted")).isEqualTo(link);
        assertThat(browser.text("nav")).doesNotContain("Operator");
        Screens.take(browser, "no-script-passphrase");
        browser.type("#pasted-passphrase", "swordfish");
        browser.click("#reveal-by-hand");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas("swordfish");
    }

    @Test
    void aReaderWhoAskedTooOftenKeepsTheLink(Browser browser) {
        String link = link(browser, "");
        browser.open("/reveal");
        SampleClient client = new SampleClient(browser.port());
        assertThat(IntStream.range(0, 100)
                        .anyMatch(i -> client.get("/api/teams/acme/secrets/" + "A".repeat(24))
                                        .status()
                                == 429))
                .isTrue();
        reveal(browser, link, "");
        browser.seeText("#problem", "nothing was used up");
        assertThat(browser.value("#pasted")).isEqualTo(link);
        assertThat(browser.text("nav")).doesNotContain("Operator");
        store.deleteGroup("reveal-attempts");
        browser.click("#reveal-by-hand");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(SECRET);
    }

    @Test
    void aReaderCorrectsALink(Browser browser) {
        String link = link(browser, "");
        browser.open("/reveal");
        String mistyped = link.substring(0, link.length() - 1);
        reveal(browser, mistyped, "");
        browser.see("#gone");
        assertThat(browser.value("#pasted")).isEqualTo(mistyped);
        Screens.take(browser, "no-script-gone");
        reveal(browser, link, "");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(SECRET);
    }

    @Test
    void aFormWhoseTokenHasExpiredComesBackWithWhatWasTyped(Browser browser) {
        browser.open("/?team=globex");
        browser.type("#value", SECRET);
        browser.choose("#ttl", "P1D");
        browser.click("#options > summary");
        browser.type("#passphrase", "swordfish");
        browser.choose("#views", "2");
        browser.command("Network.clearBrowserCookies", Map.of());
        browser.click("#create");
        browser.seeText("#problem", "open for too long.*try again");
        assertThat(browser.value("#value")).isEqualTo(SECRET);
        assertThat(browser.value("#ttl")).isEqualTo("P1D");
        assertThat(browser.value("#team")).isEqualTo("globex");
        assertThat(browser.value("#passphrase")).isEqualTo("swordfish");
        assertThat(browser.value("#views")).isEqualTo("2");
        assertThat(store.scope("globex").count()).isZero();
        Screens.take(browser, "no-script-expired");
        browser.click("#create");
        browser.seeText("h1", "your link is ready");
        String link = browser.value("#link");
        browser.open("/reveal");
        browser.type("#pasted", link);
        browser.command("Network.clearBrowserCookies", Map.of());
        browser.click("#reveal-by-hand");
        browser.seeText("#problem", "open for too long.*try again");
        assertThat(browser.value("#pasted")).isEqualTo(link);
        browser.type("#pasted-passphrase", "swordfish");
        browser.click("#reveal-by-hand");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(SECRET);
    }

    /** A form needs nine bytes for each of these characters. */
    @Test
    void theLongestSecretIsSent(Browser browser) {
        browser.open("/?team=acme");
        browser.run("(document.querySelector('#value').value = '\u20ac'.repeat(65536)).length");
        browser.click("#create");
        browser.seeText("h1", "your link is ready");
        String link = browser.value("#link");
        browser.open("/reveal");
        reveal(browser, link, "");
        browser.see("#secret");
        assertThat(browser.run("document.querySelector('#secret').textContent.trim().length"))
                .isEqualTo(65_536L);
        browser.assertNoAddressHas("%E2%82%AC");
    }

    @Test
    void aSenderDeletesTheSecretAfterAQuestion(Browser browser) {
        browser.open("/?team=acme");
        browser.type("#value", SECRET);
        browser.click("#create");
        browser.seeText("h1", "your link is ready");
        browser.seeNo("#delete");
        browser.tabTo("details > summary");
        browser.press(Keys.ENTER);
        browser.see("#delete");
        Screens.take(browser, "no-script-delete");
        browser.click("#delete");
        browser.seeText("h1", "secret deleted");
        assertThat(store.scope("acme").count()).isZero();
        browser.assertNoAddressHas(SECRET);
    }
}
