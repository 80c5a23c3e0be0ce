package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** A page whose script is blocked, fails or comes late gives no secret away. */
@BrowserTest
class MissingScriptTests {

    private static final String SECRET = "hunter2secret";

    @Autowired
    private Store store;

    private void compose(Browser browser) {
        browser.open("/?team=acme");
        browser.type("#value", SECRET);
    }

    private void assertKeptToItself(Browser browser) {
        assertThat(browser.path()).doesNotContain(SECRET);
        browser.assertNoAddressHas(SECRET);
        assertThat(store.count()).isZero();
    }

    /** Without what they share, the script of the page fails at its first line that needs it. */
    @ParameterizedTest
    @ValueSource(strings = {"sender.js", "app.js"})
    void aSecretStaysInTheBrowserWhenAScriptIsBlockedOrFails(String script, Browser browser) {
        browser.block(script);
        compose(browser);
        assertThat(browser.see("#create").isEnabled()).isFalse();
        browser.click("#team");
        browser.press(Keys.ENTER);
        browser.click("#create");
        assertThat(browser.path()).isEqualTo("/?team=acme");
        browser.seeText("#needs-script", "needs its script");
        Screens.take(browser, "no-script-" + script.replace(".js", ""));
        assertKeptToItself(browser);
    }

    @Test
    void aFormThatIsSentAllTheSameIsToldThatItNeedsTheScript(Browser browser) {
        browser.block("*.js");
        compose(browser);
        browser.run("document.querySelector('#compose').submit() ?? true");
        browser.seeText("h1", "needs its script");
        assertThat(browser.path()).isEqualTo("/");
        assertKeptToItself(browser);
        browser.open("/"); // or the next page would leave by a form that was posted
    }

    @Test
    void aReceiverIsToldThatNothingIsUsedUp(Browser browser) {
        browser.block("*.js");
        browser.open("/reveal#acme/AAAAAAAAAAAAAAAAAAAAAAAA");
        browser.seeText("#needs-script", "nothing is used up");
        browser.assertNoAddressHas("AAAAAAAAAAAAAAAAAAAAAAAA");
    }

    @Test
    void whatWasTypedBeforeTheScriptCameIsSentByIt(Browser browser) {
        browser.block("*.js");
        compose(browser);
        browser.block();
        for (String script : new String[] {"/app.js", "/sender.js"}) {
            browser.runAsync(
                    "const done = arguments[1]; document.head.append(Object.assign(document.createElement('script'),"
                            + " {src: arguments[0], onload: () => done(true)}))",
                    script);
        }
        browser.seeNo("#needs-script");
        browser.click("#create");
        browser.see("#created");
        browser.assertNoAddressHas(SECRET);
        String link = browser.value("#link");
        browser.follow(link);
        SecretPage.waits(browser);
        browser.click("#reveal");
        browser.seeText("#secret", SECRET);
    }
}
