package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages that say why there is no other. */
@BrowserTest
@Tag("page")
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

    /** As someone who reloads or bookmarks the answer to a form. */
    @Test
    void theAddressOfAFormLeadsToItsPage(Browser browser) {
        browser.open("/page/secrets");
        browser.see("#compose");
        assertThat(browser.path()).isEqualTo("/");
        browser.open("/page/reveal");
        browser.see("#gone");
        assertThat(browser.path()).isEqualTo("/reveal");
        browser.open("/admin");
        AdminPageTests.logIn(browser, SampleTest.PASSWORD);
        browser.see("#purge");
        for (String action : new String[] {"purge", "rotate-keys", "dead-letters/retry", "dead-letters/drop"}) {
            browser.open("/admin/" + action);
            browser.see("#purge");
            assertThat(browser.path()).isEqualTo("/admin");
        }
    }

    @Test
    void anAddressForProgramsIsAPageForABrowser(Browser browser) {
        browser.open("/page/look");
        browser.seeText("h1", "there is no page here");
        Screens.take(browser, "no-page");
    }

    @Test
    void aFieldThatTheFormDoesNotOfferIsAPage(Browser browser) {
        browser.block("*.js");
        for (String tampered : new String[] {"#views option", "#create-team"}) {
            browser.open("/?team=acme");
            browser.type("#value", "hunter2");
            browser.run("Object.assign(document.querySelector('" + tampered
                    + "'), {value: 'abc', checked: true, selected: true}).value");
            browser.click("#create");
            browser.seeText("h1", "the form is invalid");
        }
        browser.assertNoAddressHas("hunter2");
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
