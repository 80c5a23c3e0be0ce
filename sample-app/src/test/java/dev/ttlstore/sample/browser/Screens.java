package dev.ttlstore.sample.browser;

/**
 * Looks at a page in every way that people may have it: light, dark, and on a phone, also with large text; each is kept as a picture.
 * Without {@code -Pthorough} it looks at the light page alone and takes no picture, because pictures take longer than the tests.
 */
final class Screens {

    private static final boolean THOROUGH = Boolean.getBoolean("ttl-store.test.thorough");

    private Screens() {}

    static void take(Browser browser, String name) {
        Accessibility.assertNothingGrave(browser);
        if (THOROUGH) {
            takeAll(browser, name);
        }
    }

    private static void takeAll(Browser browser, String name) {
        browser.screenshot(name);
        browser.look("dark");
        Accessibility.assertNothingGrave(browser);
        browser.screenshot(name + "-dark");
        browser.look("light");
        browser.phone();
        browser.assertFits();
        browser.screenshot(name + "-phone");
        browser.enlargeText();
        browser.assertFits();
        browser.screenshot(name + "-phone-large");
        browser.usualText();
        browser.desktop();
    }
}
