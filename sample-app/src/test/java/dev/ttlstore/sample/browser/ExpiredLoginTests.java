package dev.ttlstore.sample.browser;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A login that expires while its page is open: the page stays, and the next action leads to the login and back. */
@BrowserTest
@Tag("page")
class ExpiredLoginTests {

    private static final String SESSIONS = "session";

    @Autowired
    private Store store;

    /** Lets all logins expire, as if nobody had used them for half an hour. */
    private void expireLogins() {
        assertThat(store.group(SESSIONS).expireAllNow()).isPositive();
        await().until(() -> store.group(SESSIONS).count() == 0);
    }

    @Test
    void aLinkLeadsToTheLoginAndThenToItsPage(Browser browser) {
        new SampleClient(browser.port()).kept(SampleTest.SMALL_TEAM, "hunter2", "PT1H");
        browser.open("/admin");
        AdminPageTests.logIn(browser, SampleTest.PASSWORD);
        browser.see("#groups a.danger");
        expireLogins();
        browser.seeText("#groups", SampleTest.SMALL_TEAM);
        browser.click("#groups a.danger");
        browser.see("#username");
        assertThat(browser.path()).startsWith("/login?next=");
        AdminPageTests.logIn(browser, SampleTest.PASSWORD);
        browser.seeText("h1", "delete the secrets of team small");
        assertThat(store.count(SampleTest.SMALL_TEAM + ":secrets")).isEqualTo(1);
    }

    /** A form is not sent again by a login, so that nothing happens that nobody sees. */
    @Test
    void aFormLeadsToTheLoginAndThenToTheStart(Browser browser) {
        browser.open("/admin");
        AdminPageTests.logIn(browser, SampleTest.PASSWORD);
        browser.see("#purge");
        expireLogins();
        browser.see("#purge");
        browser.click("#purge");
        browser.see("#username");
        Screens.take(browser, "login-expired");
        AdminPageTests.logIn(browser, SampleTest.PASSWORD);
        browser.see("#purge");
        browser.seeNo("#done");
        browser.click("#purge");
        browser.seeText("#done", "removed");
    }

    /** What was typed stays on the page, which says what to do. */
    @Test
    void theFormOfASenderAsksForTheLogin(Browser browser) {
        String page = "/?team=" + SampleTest.LOGIN_TEAM;
        browser.open(page);
        SenderLoginTests.logIn(browser, SampleTest.SENDER_PASSWORD);
        browser.see("#value");
        expireLogins();
        browser.type("#value", "hunter2");
        browser.click("#create");
        browser.seeText("#problem", "log in, and try again");
        assertThat(browser.value("#value")).isEqualTo("hunter2");
        assertThat(store.count(SampleTest.LOGIN_TEAM + ":secrets")).isZero();
        browser.open(page);
        browser.see("#username");
        SenderLoginTests.logIn(browser, SampleTest.SENDER_PASSWORD);
        browser.see("#value");
        assertThat(browser.path()).isEqualTo(page);
    }
}
