package dev.ttlstore.sample.browser;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.event.Subscription;
import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The operator logs in, looks, and mends. */
@BrowserTest
@Tag("slow")
class AdminPageTests {

    @Autowired
    private Store store;

    @Test
    void theOperatorLogsInAndOutAgain(Browser browser) {
        browser.open("/admin");
        browser.seeText("h1", "login");
        assertThat(browser.text("main")).doesNotContain("spring.security", "user");
        Screens.take(browser, "login");
        logIn(browser, "wrong");
        browser.seeText("[role=alert]", "is wrong");
        Screens.take(browser, "login-failed");
        logIn(browser, SampleTest.PASSWORD);
        browser.seeText("#groups", "Entries");
        assertThat(browser.path()).startsWith("/admin");
        browser.click("#logout");
        browser.seeText("[role=status]", "logged out");
        browser.open("/admin");
        browser.see("#username");
    }

    @Test
    void aDeadLetterIsTriedAgainByKeyboard(Browser browser) {
        AtomicBoolean mended = new AtomicBoolean();
        Subscription subscription = store.onExpired("mailer", "outbox", entry -> {
            if (!mended.get()) {
                throw new IllegalStateException("The mail server is away");
            }
        });
        try {
            String key = store.group("outbox").add("hunter2", Duration.ofMillis(1));
            await().until(() -> store.deadLetters("mailer").count() == 1);
            Stream.of("initech", "umbrella")
                    .forEach(team -> store.scope(team).group("invites").add("hunter2", Duration.ofHours(1)));
            browser.open("/admin");
            logIn(browser, SampleTest.PASSWORD);
            browser.seeText("#dead-letters", "mailer.*" + key.substring(0, 4) + "….*IllegalStateException");
            assertThat(browser.text("body")).doesNotContain(key).doesNotContain("hunter2");
            Screens.take(browser, "admin");
            mended.set(true);
            browser.tabTo("#dead-letters button.retry");
            browser.press(Keys.ENTER);
            browser.seeText("#done", "retrying now");
            await().until(() -> store.deadLetters("mailer").count() == 0);
            browser.reload();
            browser.seeText("#dead-letters", "None");
        } finally {
            subscription.close();
            store.removeExpirySubscriber("mailer");
        }
    }

    @Test
    void aDeadLetterIsDroppedByKeyboard(Browser browser) {
        Subscription subscription = store.onExpired("notifier", "notices", entry -> {
            throw new IllegalStateException("There is nobody to notify");
        });
        try {
            store.group("notices").add("hunter2", Duration.ofMillis(1));
            await().until(() -> store.deadLetters("notifier").count() == 1);
            browser.open("/admin");
            logIn(browser, SampleTest.PASSWORD);
            browser.seeText("#dead-letters", "notifier");
            browser.tabTo("#dead-letters button.drop");
            browser.press(Keys.ENTER);
            browser.seeText("#done", "dropped");
            browser.seeText("#dead-letters", "none");
            assertThat(store.deadLetters("notifier").count()).isZero();
        } finally {
            subscription.close();
            store.removeExpirySubscriber("notifier");
        }
    }

    /** Whoever looks for another button must not add a key by it. */
    @Test
    void keysAreRotatedAfterAQuestion(Browser browser) {
        browser.open("/admin");
        logIn(browser, SampleTest.PASSWORD);
        browser.seeNo("#rotate-keys");
        browser.tabTo("#rotate > summary");
        browser.press(Keys.ENTER);
        browser.see("#rotate-keys");
        Screens.take(browser, "admin-rotate");
        browser.tabTo("#rotate-keys");
        browser.press(Keys.ENTER);
        browser.seeText("#done", "a key was added");
        assertThat(browser.see("#done").getCssValue("outline-style")).isEqualTo("none");
        assertThat(browser.run("document.querySelector('#purge').closest('.actions').contains("
                        + "document.querySelector('#logout'))"))
                .isEqualTo(false);
        Screens.take(browser, "admin-rotated");
    }

    @Test
    void theSecretsOfATeamAreDeletedAfterAQuestion(Browser browser) {
        new SampleClient(browser.port()).kept(SampleTest.SMALL_TEAM, "hunter2", "PT1H");
        browser.open("/admin");
        logIn(browser, SampleTest.PASSWORD);
        browser.click("#groups a.danger");
        browser.seeText("h1", "delete the secrets of team small");
        browser.seeText("#count", "1");
        Screens.take(browser, "clear");
        browser.tabTo("#clear");
        browser.press(Keys.ENTER);
        browser.seeText("#done", "small deleted: 1");
        assertThat(store.count(SampleTest.SMALL_TEAM + ":")).isZero();
        browser.open("/admin/teams/nosuch/delete");
        browser.seeText("main", "nosuch has no unread secrets");
        browser.seeNo("#clear");
        browser.open("/teams/" + SampleTest.SMALL_TEAM);
        browser.seeText("#activity > li", "the operator deleted");
    }

    @Test
    void thePurgeIsRunByKeyboardAlone(Browser browser) {
        browser.open("/admin");
        // The name has the focus when the page opens.
        browser.press(SampleTest.ADMIN, Keys.TAB, SampleTest.PASSWORD, Keys.ENTER);
        browser.see("#purge");
        browser.tabTo("#purge");
        browser.press(Keys.ENTER);
        browser.seeText("#done", "removed");
        browser.seeText("#backlog", "\\d");
        browser.seeText("#lag", "\\d");
        browser.seeText("#cache", "%|no reads");
    }

    static void logIn(Browser browser, String password) {
        browser.type("#username", SampleTest.ADMIN);
        browser.type("#password", password);
        browser.click("#login");
    }
}
