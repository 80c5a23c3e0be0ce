package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;

import static org.assertj.core.api.Assertions.assertThat;

/** The pages work when their scripts are blocked or fail, by forms that the server answers with pages. */
@BrowserTest
@Tag("slow")
class MissingScriptTests {

    private static final String SECRET = "hunter2secret";

    @Autowired
    private Store store;

    /** Without what they share, the script of a page fails at its first line that needs it. {@link SecretJourneyTests} blocks all. */
    @ParameterizedTest
    @ValueSource(strings = {"sender.js reveal.js", "app.js"})
    void aSecretIsSentAndRevealedOnce(String scripts, Browser browser) {
        SecretJourneyTests.sendAndRevealWithout(browser, scripts.split(" "));
    }

    @Test
    void theKeyboardAloneIsEnough(Browser browser) {
        browser.block("*.js");
        browser.open("/?team=acme");
        browser.press(SECRET);
        browser.tabTo("#create");
        browser.press(Keys.ENTER);
        browser.seeText("h1", "your link is ready");
        String link = browser.value("#link");
        browser.follow(link);
        browser.see("#by-hand");
        browser.tabTo("#pasted");
        browser.press(link, Keys.ENTER);
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(SECRET);
    }

    @Test
    void aMistakeIsToldBesideWhatWasTyped(Browser browser) {
        browser.block("*.js");
        browser.open("/?team=acmee");
        browser.type("#value", SECRET);
        browser.choose("#ttl", "P7D");
        browser.click("#create");
        browser.seeText("#problem", "there is no team acmee yet");
        assertThat(browser.value("#value")).isEqualTo(SECRET);
        assertThat(browser.value("#ttl")).isEqualTo("P7D");
        assertThat(store.count()).isZero();
        Screens.take(browser, "no-script-problem");
        browser.click("#create-team");
        browser.click("#create");
        browser.seeText("h1", "your link is ready");
        browser.assertNoAddressHas(SECRET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*.js", "app.js"})
    void aTeamSeesItsStateWithReadableTimes(String scripts, Browser browser) {
        new SampleClient(browser.port()).kept("acme", "hunter2", "PT10M");
        browser.block(scripts);
        browser.open("/teams/acme");
        browser.seeText("#connection", "as of \\d+ \\w+ \\d{4}, [\\d:]+ UTC, reload for newer");
        browser.seeText("#activity > li", "was created\\s+\\d+ \\w+ \\d{4}, [\\d:]+ UTC");
        browser.seeText("#expiring", "1 in the next hour");
        browser.click(".ranges a[href$=month]");
        browser.seeText("#expiring", "1 in the next 30 days");
        Screens.take(browser, "no-script-team");
        browser.assertNoAddressHas("hunter2"); // forgets the complaint of the script that misses the other
    }
}
