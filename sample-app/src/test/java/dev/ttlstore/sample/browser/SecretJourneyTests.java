package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A secret from its sender to its receiver, with the pages' script and without. Of the tests with a browser, every build has these. */
@BrowserTest
class SecretJourneyTests {

    private static final String SECRET = "hunter2secret";

    @Test
    void aSecretIsCreatedRevealedOnceAndGone(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.seeText("#ends", "\\d");
        Screens.take(browser, "sender");
        String link = SecretPage.create(browser, "the launch code is 0000", "P1D");
        assertThat(link).startsWith(browser.root() + "/reveal#acme/");
        browser.seeText("#countdown", "expires in (1 d|23 h)");
        browser.seeCount("#sent > li", 1);
        Screens.take(browser, "created");
        browser.follow(link);
        SecretPage.waits(browser);
        Screens.take(browser, "receiver");
        browser.click("#reveal");
        browser.seeText("#secret", "the launch code is 0000");
        browser.seeNo("#reveal");
        Screens.take(browser, "revealed");
        browser.reload();
        browser.see("#gone");
        assertThat(browser.text("body")).doesNotContain("0000");
        Screens.take(browser, "gone");
        SecretPage.open(browser, "acme");
        browser.see("#sent-none");
    }

    @Tag("slow")
    @Test
    void withoutScriptASecretIsSentAndRevealedOnce(Browser browser) {
        sendAndRevealWithout(browser, "*.js");
    }

    /** Sends a secret and reveals it by the forms of the pages, while scripts are blocked. */
    static void sendAndRevealWithout(Browser browser, String... scripts) {
        browser.block(scripts);
        browser.open("/?team=acme");
        browser.seeText("#sent-needs-script", "needs the page’s script");
        browser.type("#value", SECRET);
        browser.choose("#ttl", "P1D");
        browser.click("#create");
        browser.seeText("h1", "your link is ready");
        Screens.take(browser, "no-script-created");
        String link = browser.value("#link");
        browser.follow(link);
        browser.see("#by-hand");
        Screens.take(browser, "no-script-receiver");
        browser.type("#pasted", link);
        browser.click("#reveal-by-hand");
        browser.seeText("#secret", SECRET);
        Screens.take(browser, "no-script-revealed");
        browser.follow(link);
        browser.type("#pasted", link);
        browser.click("#reveal-by-hand");
        browser.see("#gone");
        browser.block();
        browser.assertNoAddressHas(SECRET);
    }
}
