package dev.ttlstore.sample.browser;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;

import static org.assertj.core.api.Assertions.assertThat;

/** Passphrases, several views, and encryption in the browser. */
@BrowserTest
@Tag("page")
class OptionsPageTests {

    private static final String SECRET = "hunter2 \u2713 secret";

    @Autowired
    private Store store;

    private static void withOptions(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.click("#options > summary");
    }

    @Test
    void aSecretWithAPassphraseIsReadByKeyboardAfterAWrongOne(Browser browser) {
        withOptions(browser);
        browser.type("#passphrase", "swordfish");
        Screens.take(browser, "options");
        browser.follow(SecretPage.create(browser, SECRET, "PT1H"));
        SecretPage.waits(browser);
        Screens.take(browser, "passphrase");
        browser.tabTo("#passphrase");
        browser.press("wrong", Keys.ENTER);
        browser.seeText("#problem", "passphrase is wrong. The secret is still unread");
        browser.until("the passphrase has the focus", () -> browser.hasFocus("#passphrase"));
        Screens.take(browser, "passphrase-wrong");
        browser.press("swordfish", Keys.ENTER);
        browser.seeText("#secret", SECRET);
        assertThat(browser.run("document.querySelector('#problem').textContent"))
                .isEqualTo("");
        browser.assertNoAddressHas("swordfish");
    }

    @Test
    void aSecretIsReadAsOftenAsItsSenderAllows(Browser browser) {
        withOptions(browser);
        browser.choose("#views", "2");
        String link = SecretPage.create(browser, SECRET, "PT1H");
        browser.follow(link);
        SecretPage.waits(browser);
        browser.seeText("#once", "2 times");
        browser.click("#reveal");
        browser.seeText("#secret", SECRET);
        browser.seeText("#state", "1 more time");
        browser.follow(link);
        SecretPage.waits(browser);
        browser.seeText("#once", "only once");
        browser.click("#reveal");
        browser.seeText("#secret", SECRET);
        browser.follow(link);
        browser.see("#gone");
    }

    @Test
    void theServerNeverSeesTheSecretNorItsKey(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.seeText("#cipher", "the server never sees it");
        browser.run("(window.bodies = [], (real => window.fetch = (url, options) => {"
                + " bodies.push(options && options.body || ''); return real(url, options); })(fetch), true)");
        String link = SecretPage.create(browser, SECRET, "PT1H");
        assertThat(link).matches(".*/reveal#acme/[\\w-]{24}/[\\w-]{48}");
        String key = link.substring(link.length() - 48);
        assertThat(browser.run("bodies.join()").toString())
                .contains("\"sealed\":true")
                .doesNotContain("hunter2", key);
        store.groups()
                .forEach(group -> assertThat(store.group(group, byte[].class).entries())
                        .allSatisfy(entry -> assertThat(new String(entry.value(), StandardCharsets.UTF_8))
                                .doesNotContain("hunter2", key)));
        browser.follow(link);
        SecretPage.waits(browser);
        browser.click("#reveal");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(key);
    }

    @Test
    void aLinkWhoseEndIsMissingOrChangedUsesNothingUp(Browser browser) {
        SecretPage.open(browser, "acme");
        String link = SecretPage.create(browser, SECRET, "PT1H");
        for (int cut : new int[] {1, 20, 48, 49}) {
            browser.follow(link.substring(0, link.length() - cut));
            browser.see("#gone");
        }
        for (int changed : new int[] {1, 20, 48}) {
            int at = link.length() - changed;
            browser.follow(link.substring(0, at) + (link.charAt(at) == 'A' ? 'B' : 'A') + link.substring(at + 1));
            browser.see("#gone");
        }
        browser.follow(link);
        SecretPage.waits(browser);
        browser.click("#reveal");
        browser.seeText("#secret", SECRET);
    }

    @Test
    void aLongSecretIsEncryptedAsWell(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.run("(document.querySelector('#value').value = '\u20ac'.repeat(60000)).length");
        browser.click("#create");
        browser.see("#created");
        browser.follow(browser.value("#link"));
        browser.click("#reveal");
        browser.until(
                "the whole secret is there", () -> browser.run("document.querySelector('#secret').textContent.length")
                        .equals(60_000L));
    }

    @Test
    void withoutTheScriptTheSecretOfAScriptIsNotUsedUp(Browser browser) {
        SecretPage.open(browser, "acme");
        String link = SecretPage.create(browser, SECRET, "PT1H");
        browser.block("*.js");
        browser.follow(link);
        browser.type("#pasted", link);
        browser.click("#reveal-by-hand");
        browser.seeText("main", "encrypted in its sender’s browser.*still unread");
        Screens.take(browser, "no-script-sealed");
        browser.block();
        browser.assertNoAddressHas("hunter2");
        browser.follow(link);
        SecretPage.waits(browser);
    }
}
