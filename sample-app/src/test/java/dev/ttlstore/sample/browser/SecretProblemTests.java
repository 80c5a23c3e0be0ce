package dev.ttlstore.sample.browser;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.ttlstore.Store;
import dev.ttlstore.sample.SampleClient;

import static org.assertj.core.api.Assertions.assertThat;

/** What the pages of a secret say when not all goes well, and that they say what is true. */
@BrowserTest
@Tag("slow")
class SecretProblemTests {

    private static final String NOBODYS = "AAAAAAAAAAAAAAAAAAAAAAAA";

    @Autowired
    private Store store;

    @Test
    void aLinkThatCannotBeReadIsAsWhatIsGone(Browser browser) {
        for (String fragment : new String[] {"acme/%", "%", "%ff/%ff", "acme/%E0%A4%A"}) {
            browser.follow(browser.root() + "/reveal#" + fragment);
            browser.see("#gone");
            browser.seeText("#state", "no longer available");
            assertThat(problem(browser)).isEmpty();
        }
    }

    @Test
    void whoLooksTooOftenIsToldHowLongToWaitAndThePageLooksAgainOnce(Browser browser) {
        SecretPage.open(browser, "acme");
        String link = SecretPage.create(browser, "hunter2", "PT1H");
        askTooOften(browser);
        browser.follow(link);
        browser.seeText("#problem", "wait about \\d+ s");
        browser.seeText("#state", "not been looked up yet, and nothing is used up.*tries again in \\d+ s");
        browser.seeNo("#again");
        Screens.take(browser, "too-often");
        letTheWaitBeOver(browser);
        browser.seeText("#again", "try again");
        assertThat(browser.text("#state")).contains("nothing is used up").doesNotContain("by itself");
        store.deleteGroup("reveal-attempts");
        browser.click("#again");
        SecretPage.waits(browser);
        assertThat(problem(browser)).isEmpty();
        assertThat(browser.hasFocus("#reveal")).isTrue();
    }

    @Test
    void whoRevealsTooOftenIsToldHowLongToWaitAndKeepsTheButton(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.follow(SecretPage.create(browser, "hunter2", "PT1H"));
        SecretPage.waits(browser);
        askTooOften(browser);
        browser.click("#reveal");
        browser.seeText("#problem", "wait about \\d+ s");
        browser.seeText("#state", "was not revealed, and nothing is used up.*in \\d+ s");
        browser.see("#reveal");
        store.deleteGroup("reveal-attempts");
        letTheWaitBeOver(browser);
        SecretPage.waits(browser);
        assertThat(problem(browser)).isEmpty();
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
    }

    @Test
    void whyASecretCannotBeOpenedIsToldAndItWaitsOn(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.follow(SecretPage.create(browser, "hunter2", "PT1H"));
        SecretPage.waits(browser);
        SecretPage.answerNext(browser, "/page/reveal", 500, "It cannot be opened at present, and is not used up.");
        browser.click("#reveal");
        browser.seeText("#problem", "It cannot be opened at present, and is not used up.");
        SecretPage.waits(browser);
        browser.until("the button has the focus", () -> browser.hasFocus("#reveal"));
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
        assertThat(problem(browser)).isEmpty();
    }

    @Test
    void aSecretWhoseAnswerIsLostIsNotSaidToWait(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.follow(SecretPage.create(browser, "hunter2", "PT1H"));
        SecretPage.waits(browser);
        SecretPage.loseNext(browser, "/page/reveal");
        browser.click("#reveal");
        browser.see("#gone");
        browser.seeText("#problem", "did not answer.*ask its sender for a new one");
    }

    @Test
    void whatTheServerDoesNotSayThePageDoesNotKnow(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.follow(SecretPage.create(browser, "hunter2", "PT1H"));
        SecretPage.waits(browser);
        SecretPage.answerNext(browser, "/page/look", 503, "The store is not available now.");
        SecretPage.answerNext(browser, "/page/reveal", 503, "The store is not available now.");
        browser.click("#reveal");
        browser.seeText("#state", "unknown whether the secret is still available");
        browser.seeText("#problem", "the store is not available now");
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
        assertThat(problem(browser)).isEmpty();
    }

    @Test
    void aRevealedSecretIsNotThereForTheNextLinkNorForWhoComesBack(Browser browser) {
        SecretPage.open(browser, "acme");
        String first = SecretPage.create(browser, "hunter2", "PT1H");
        SecretPage.open(browser, "acme");
        String second = SecretPage.create(browser, "hunter3", "PT1H");
        browser.follow(first);
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
        browser.open(second.substring(browser.root().length()));
        SecretPage.waits(browser);
        assertThat(secret(browser)).isEmpty();
        browser.click("#reveal");
        browser.seeText("#secret", "hunter3");
        browser.click("a.brand");
        browser.see("#create");
        browser.back();
        browser.see("#gone");
        assertThat(secret(browser)).isEmpty();
    }

    /** As a browser does it that keeps pages though they ask it not to. */
    @Test
    void aPageThatIsKeptForTheWayBackIsKeptWithoutTheSecret(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.follow(SecretPage.create(browser, "hunter2", "PT1H"));
        browser.click("#reveal");
        browser.seeText("#secret", "hunter2");
        browser.run("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))");
        assertThat(secret(browser)).isEmpty();
        browser.run("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))");
        browser.see("#gone");
    }

    @Test
    void aProblemGoesWhenTheSenderWritesOrTriesAgain(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.type("#value", "hunter2");
        SecretPage.answerNext(browser, "/page/secrets", 429, "There is no room.");
        browser.click("#create");
        browser.seeText("#problem", "There is no room.");
        browser.type("#value", "hunter3");
        assertThat(problem(browser)).isEmpty();
        SecretPage.answerNext(browser, "/page/secrets", 429, "There is no room.");
        browser.click("#create");
        browser.seeText("#problem", "There is no room.");
        browser.run("document.querySelector('#value').value = ''");
        browser.click("#create");
        browser.until("the problem is gone", () -> problem(browser).isEmpty());
    }

    @Test
    void aSecretWhoseLinkIsLostIsListedToBeDeleted(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.type("#value", "hunter2");
        SecretPage.loseNext(browser, "/page/secrets");
        browser.click("#create");
        browser.seeText("#problem", "did not answer.*delete it and create another, because its link is lost");
        browser.seeCount("#sent > li", 1);
        assertThat(browser.value("#value")).isEqualTo("hunter2");
        SecretPage.delete(browser);
        browser.seeCount("#sent > li", 0);
    }

    @Test
    void ofManySecretsTheNewestAreShownAndTheSenderIsToldSo(Browser browser) {
        SecretPage.open(browser, "acme");
        browser.runAsync("""
                const done = arguments[arguments.length - 1];
                (async () => {
                  for (let i = 0; i < 101; i++) {
                    await app.post('/page/secrets', {team: 'acme', value: 'hunter2', ttl: 'PT1H'});
                  }
                  done(true);
                })();
                """);
        browser.reload();
        browser.seeText("#sent-more", "the newest 100 are shown");
        browser.seeCount("#sent > li", 100);
        SecretPage.delete(browser);
        browser.seeNo("#sent-more");
        browser.seeCount("#sent > li", 100);
    }

    private static void askTooOften(Browser browser) {
        SampleClient client = new SampleClient(browser.port());
        assertThat(IntStream.range(0, 100)
                        .anyMatch(i ->
                                client.get("/api/teams/acme/secrets/" + NOBODYS).status() == 429))
                .isTrue();
    }

    private static void letTheWaitBeOver(Browser browser) {
        browser.run("due = app.now()");
    }

    private static String problem(Browser browser) {
        return browser.run("document.querySelector('#problem').textContent").toString();
    }

    private static String secret(Browser browser) {
        return browser.run("document.querySelector('#secret').textContent").toString();
    }
}
