package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the other tests rely on to be noticed, is. */
@BrowserTest
@Tag("slow")
class BrowserTests {

    @Test
    void aScriptThatThePolicyForbidsIsNoticed(Browser browser) {
        browser.open("/login");
        browser.run("document.body.append(Object.assign(document.createElement('script'), {text: '1'})) ?? true");
        assertThatThrownBy(browser::assertNothingWentWrong).hasMessageContaining("Content Security Policy");
    }

    @Test
    void aRequestToAnotherHostIsNoticed(Browser browser) {
        browser.follow(browser.root().replace("localhost", "127.0.0.1") + "/login");
        assertThatThrownBy(browser::assertNothingWentWrong).hasMessageContaining("this host alone");
    }

    @Test
    void aKeyInAnAddressIsNoticed(Browser browser) {
        browser.open("/login?key=AAAAAAAAAAAAAAAAAAAAAAAA");
        assertThatThrownBy(browser::assertNothingWentWrong).hasMessageContaining("without keys");
    }

    @Test
    void aFieldWithoutALabelIsNoticed(Browser browser) {
        browser.open("/login");
        browser.run("document.querySelector('main').append(document.createElement('textarea')) ?? true");
        assertThatThrownBy(() -> Accessibility.assertNothingGrave(browser)).hasMessageContaining("label");
    }
}
