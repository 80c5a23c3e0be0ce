package dev.ttlstore.sample.browser;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.PageLoadStrategy;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.web.util.ContentCachingResponseWrapper;

import dev.ttlstore.sample.SampleClient;
import dev.ttlstore.sample.TemporaryStore;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** The pages work before their scripts and answers have come, and go on with them afterwards. */
@BrowserTest
@Tag("page")
class LateScriptTests {

    private static final String SECRET = "hunter2secret";

    /** The number of answers of the list that have come. */
    private static final String LISTS = "performance.getEntriesByType('resource')"
            + ".filter(answer => answer.name.endsWith('/page/sent') && answer.responseEnd).length";

    /** Holds back scripts until the test releases them, so that they are as late as it needs. */
    static final class HeldScripts {

        private volatile CountDownLatch held = new CountDownLatch(0);

        void hold() {
            held = new CountDownLatch(1);
        }

        void release() {
            held.countDown();
        }

        void await(String path) throws InterruptedException {
            if (path.endsWith(".js")) {
                held.await();
            }
        }
    }

    /** Holds back the first answer of the list, with its headers, after the server has made it. */
    static final class HeldList {

        private final AtomicBoolean armed = new AtomicBoolean();
        private final CountDownLatch released = new CountDownLatch(1);
        private final CountDownLatch holds = new CountDownLatch(1);

        void awaitIfFirst() {
            if (armed.compareAndSet(true, false)) {
                holds.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Network {

        @Bean
        HeldScripts heldScripts() {
            return new HeldScripts();
        }

        @Bean
        HeldList heldList() {
            return new HeldList();
        }

        @Bean
        Filter holdList(HeldList list) {
            return (request, response, chain) -> {
                if (((HttpServletRequest) request).getRequestURI().equals("/page/sent")) {
                    ContentCachingResponseWrapper answer =
                            new ContentCachingResponseWrapper((HttpServletResponse) response);
                    chain.doFilter(request, answer);
                    list.awaitIfFirst();
                    answer.copyBodyToResponse();
                } else {
                    chain.doFilter(request, response);
                }
            };
        }

        @Bean
        Filter holdScripts(HeldScripts scripts) {
            return (request, response, chain) -> {
                try {
                    scripts.await(((HttpServletRequest) request).getRequestURI());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                chain.doFilter(request, response);
            };
        }
    }

    @LocalServerPort
    private int port;

    @Autowired
    private HeldScripts scripts;

    @Autowired
    private HeldList list;

    /** One that does not wait for the whole page, as people do not. */
    private @Nullable Browser opened;

    @BeforeEach
    void open() {
        Browser browser =
                new Browser(Chromium.find().orElseThrow().start(TemporaryStore.folder(), PageLoadStrategy.NONE));
        browser.reset(port);
        scripts.hold();
        opened = browser;
    }

    private Browser browser() {
        return requireNonNull(opened);
    }

    @AfterEach
    void close() {
        scripts.release();
        list.released.countDown();
        browser().close();
    }

    /** Creates the secret without the script, and returns its link. */
    private static String create(Browser browser) {
        browser.open("/?team=acme");
        browser.type("#value", SECRET);
        browser.click("#create");
        browser.seeText("h1", "your link is ready");
        return browser.value("#link");
    }

    @Test
    void whoDoesNotWaitSendsAndRevealsWithoutTheScript() {
        Browser browser = browser();
        String link = create(browser);
        browser.follow(link);
        browser.seeText("#state", "looking up the secret");
        browser.type("#pasted", link);
        browser.seeNo("#state"); // it is no longer true that the page looks it up
        browser.click("#reveal-by-hand");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(SECRET);
    }

    @Test
    void whatWasTypedBeforeTheScriptCameIsSentByIt() {
        Browser browser = browser();
        browser.open("/?team=acme");
        browser.type("#value", SECRET);
        browser.see("#sent-needs-script");
        scripts.release();
        browser.seeNo("#sent-needs-script");
        browser.click("#create");
        browser.see("#created");
        String link = browser.value("#link");
        scripts.hold();
        browser.follow(link);
        browser.see("#by-hand");
        scripts.release();
        SecretPage.waits(browser);
        browser.seeNo("#by-hand");
        browser.click("#reveal");
        browser.seeText("#secret", SECRET);
        browser.assertNoAddressHas(SECRET);
    }

    @Test
    void whoHasBegunToPasteTheLinkMayGoOnWhenTheScriptHasCome() {
        Browser browser = browser();
        String link = create(browser);
        browser.follow(link);
        browser.type("#pasted", link);
        browser.seeText("#by-hand", "is missing");
        scripts.release();
        browser.seeText("#by-hand", "you can go on here");
        SecretPage.waits(browser);
        browser.click("#reveal-by-hand");
        browser.seeText("#secret", SECRET);
    }

    /** It was made before there was a cookie, so it must neither set one nor hide the secret created meanwhile. */
    @Test
    void aLateFirstAnswerOfTheListLeavesCookieAndListAsTheyAre() throws InterruptedException {
        Browser browser = browser();
        scripts.release();
        list.armed.set(true);
        browser.open("/?team=acme");
        browser.seeNo("#sent-needs-script");
        assertThat(list.holds.await(15, TimeUnit.SECONDS)).isTrue();
        SecretPage.create(browser, SECRET, "PT1H");
        browser.seeCount("#sent > li", 1);
        Object before = browser.run(LISTS);
        list.released.countDown();
        browser.until("the late answer has come", () -> !browser.run(LISTS).equals(before));
        browser.seeCount("#sent > li", 1);
        browser.reload();
        browser.seeCount("#sent > li", 1);
        SecretPage.delete(browser);
        browser.seeText("#sent-status", "was deleted");
        browser.seeCount("#sent > li", 0);
    }

    @Test
    void aTeamPageIsReadableAndThenLive() {
        Browser browser = browser();
        new SampleClient(port).kept("acme", "hunter2", "PT1H");
        browser.open("/teams/acme");
        browser.seeText("#connection", "reload for newer");
        browser.seeText("#activity > li", "was created.*UTC");
        scripts.release();
        browser.seeText("#connection", "live");
        assertThat(browser.text("#activity > li")).doesNotContain("UTC");
    }
}
