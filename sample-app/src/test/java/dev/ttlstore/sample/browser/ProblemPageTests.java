package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Test;

/** Pages that say why there is no other. */
@BrowserTest
class ProblemPageTests {

    @Test
    void aPageThatIsNotThereIsTold(Browser browser) {
        browser.open("/nothing");
        browser.seeText("h1", "page not found");
        Screens.take(browser, "no-such-page");
    }

    @Test
    void aTeamThatCannotBeIsTold(Browser browser) {
        browser.open("/teams/a_b");
        browser.seeText("h1", "not a valid team name");
        Screens.take(browser, "no-such-team");
    }

    @Test
    void aFormThatHasBeenOpenForTooLongIsTold(Browser browser) {
        browser.open("/login");
        browser.type("#username", "admin");
        browser.type("#password", "pass");
        browser.run("document.querySelector('[name=_csrf]').value = 'of yesterday'");
        browser.click("#login");
        browser.seeText("main", "reload the page");
        Screens.take(browser, "error");
    }
}
