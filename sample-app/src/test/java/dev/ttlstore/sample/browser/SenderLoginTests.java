package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/** A sender of a team that takes a login comes back to its page, and does not operate. */
@BrowserTest
@Tag("slow")
class SenderLoginTests {

    @Test
    void aSenderLogsInForAPageAndOutAgain(Browser browser) {
        browser.open("/?team=" + SampleTest.LOGIN_TEAM);
        browser.see("#username");
        logIn(browser, "wrong");
        browser.seeText("[role=alert]", "is wrong");
        logIn(browser, SampleTest.SENDER_PASSWORD);
        browser.see("#value");
        assertThat(browser.path()).isEqualTo("/?team=" + SampleTest.LOGIN_TEAM);
        browser.open("/login");
        browser.seeText("main", "logged in as " + SampleTest.SENDER);
        Screens.take(browser, "login-known");
        browser.click("#logout");
        browser.seeText("[role=status]", "logged out");
        browser.open("/?team=" + SampleTest.LOGIN_TEAM);
        browser.see("#username");
    }

    static void logIn(Browser browser, String password) {
        browser.type("#username", SampleTest.SENDER);
        browser.type("#password", password);
        browser.click("#login");
    }
}
