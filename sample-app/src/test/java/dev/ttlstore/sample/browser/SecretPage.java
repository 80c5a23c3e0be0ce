package dev.ttlstore.sample.browser;

import java.util.stream.Stream;

/** What senders and receivers do with the two pages of a secret. */
final class SecretPage {

    private SecretPage() {}

    /** Opens the sender's page of a team. */
    static void open(Browser browser, String team) {
        browser.open("/?team=" + team);
        browser.see("#create");
    }

    /** Composes a secret on the sender's page, and answers its link. A team that is new is meant. */
    static String create(Browser browser, String value, String ttl) {
        if ("another".equals(browser.see("#another, #compose").getDomAttribute("id"))) {
            browser.click("#another");
        }
        browser.type("#value", value);
        browser.choose("#ttl", ttl);
        browser.click("#create");
        if ("create-team".equals(browser.see("#created, #create-team").getDomAttribute("id"))) {
            browser.click("#create-team");
            browser.click("#create");
            browser.see("#created");
        }
        return browser.value("#link");
    }

    /** Deletes the newest secret in the sender's list, and confirms it. */
    static void delete(Browser browser) {
        browser.click("#sent > li button.delete");
        browser.answerQuestion(true);
    }

    /** A choice that no person has the time to wait for otherwise. */
    static void offer(Browser browser, int seconds) {
        browser.run(
                "(function () { lengths['PT' + arguments[0] + 'S'] = arguments[0];"
                        + " document.querySelector('#ttl').add(new Option('soon', 'PT' + arguments[0] + 'S')); return true; })"
                        + "(arguments[0])",
                seconds);
    }

    /** Has the page's next request there answered with a problem, by no server. */
    static void answerNext(Browser browser, String path, int status, String detail) {
        intercept(
                browser,
                path,
                "return new Response(JSON.stringify({detail: told[2]}),"
                        + " {status: told[1], headers: {'Content-Type': 'application/problem+json'}});",
                status,
                detail);
    }

    /** Has the page's next request there do what it does, and its answer get lost. */
    static void loseNext(Browser browser, String path) {
        intercept(browser, path, "await real(url, options); throw new TypeError('Failed to fetch');");
    }

    /** Has the answer to the page's next request there arrive after a list that the page has asked for since. */
    static void overtakeNext(Browser browser, String path) {
        intercept(browser, path, "const answer = await real(url, options); await load(); return answer;");
    }

    /** Leaves the page's next request there without an answer. */
    static void holdNext(Browser browser, String path) {
        intercept(browser, path, "return new Promise(() => {});");
    }

    private static void intercept(Browser browser, String path, String instead, Object... more) {
        Object[] told = Stream.concat(Stream.of(path), Stream.of(more)).toArray();
        browser.run(
                "((told, real) => fetch = async (url, options) => {"
                        + " if (url !== told[0]) { return real(url, options); }"
                        + " fetch = real; " + instead + " })([...arguments], fetch) && true",
                told);
    }

    static void waits(Browser browser) {
        browser.seeText("#state", "is waiting");
        browser.see("#reveal");
    }
}
