package dev.ttlstore.sample.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openqa.selenium.Alert;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.ExpectedConditions;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a person does with a browser, in the words of CSS selectors. Looking waits until what is looked for is there, for a while;
 * nothing here sleeps.
 */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MOST_CONTROLS = 60;
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private static final String SEEN = """
            return [...document.querySelectorAll(arguments[0])].find(part => part.getClientRects().length > 0
                && part.checkVisibility({opacityProperty: true, visibilityProperty: true}))""";

    private final ChromeDriver driver;
    private final BrowserLog log;
    private int port;
    private String root = "";

    Browser(ChromeDriver driver) {
        this.driver = driver;
        this.log = new BrowserLog(driver.manage().logs());
    }

    /** Forgets cookies, storage and looks of the test before. */
    void reset(int serverPort) {
        port = serverPort;
        root = "http://localhost:" + port;
        command("Network.clearBrowserCookies", Map.of());
        command("Storage.clearDataForOrigin", Map.of("origin", root, "storageTypes", "all"));
        look("light");
        zone("");
        block();
        desktop();
        log.clear();
    }

    /** Closes all pages, which would go on asking the server for what is new while other tests run. */
    void leave() {
        List<String> windows = List.copyOf(driver.getWindowHandles());
        windows.stream().skip(1).forEach(window -> {
            driver.switchTo().window(window).close();
        });
        driver.switchTo().window(windows.get(0));
        driver.get("about:blank");
    }

    /** What the page's script has failed at, what its policy has forbidden, and what it has asked of other hosts: nothing. */
    void assertNothingWentWrong() {
        log.assertNothingWentWrong(root);
    }

    /** Refuses the page's scripts of these names from now on, as an extension of the browser does, or a network that fails. */
    void block(String... scripts) {
        command("Network.enable", Map.of());
        command(
                "Network.setBlockedURLs",
                Map.of("urls", Stream.of(scripts).map(script -> "*/" + script).toList()));
    }

    /** Checks that a text was in no address so far, and forgets what the browser has noted, such as that a script is missing. */
    void assertNoAddressHas(String text) {
        log.assertNoAddressHas(text);
        log.clear();
    }

    void open(String path) {
        driver.get(root + path);
    }

    /** Opens a page in a tab of its own, which hides the others. Returns a name of the tab. */
    String openTab(String path) {
        driver.switchTo().newWindow(WindowType.TAB);
        open(path);
        return driver.getWindowHandle();
    }

    /** Shows a tab, and hides the others. */
    void showTab(String tab) {
        driver.switchTo().window(tab);
        command("Page.bringToFront", Map.of());
    }

    /** An address as it stands in the page, on this host or not. */
    void follow(String address) {
        // Only another fragment would not load the page anew.
        driver.get("about:blank");
        driver.get(address);
    }

    void reload() {
        driver.navigate().refresh();
    }

    void back() {
        driver.navigate().back();
    }

    String path() {
        return requireNonNull(driver.getCurrentUrl()).substring(root.length());
    }

    String root() {
        return root;
    }

    int port() {
        return port;
    }

    WebElement see(String selector) {
        return waiting(selector + " is not seen").until(unused -> displayed(selector));
    }

    private WebElement displayed(String selector) {
        if (seen(selector) instanceof WebElement element) {
            return element;
        }
        throw new NoSuchElementException(selector);
    }

    void seeNo(String selector) {
        waiting(selector + " is still seen").until(unused -> seen(selector) == null);
    }

    /** One script for all, because each command to the browser costs three processes some time, and {@code isDisplayed} the most. */
    private @Nullable Object seen(String selector) {
        return ((JavascriptExecutor) driver).executeScript(SEEN, selector);
    }

    void seeCount(String selector, int count) {
        waiting("There are not " + count + " of " + selector)
                .until(unused -> driver.findElements(By.cssSelector(selector)).size() == count);
    }

    /** Waits until an element tells something, in capitals or not. */
    void seeText(String selector, String pattern) {
        waiting(selector + " does not tell " + pattern)
                .until(unused -> text(selector).matches("(?is).*" + pattern + ".*"));
    }

    void until(String what, BooleanSupplier holds) {
        waiting("It does not hold that " + what).until(unused -> holds.getAsBoolean());
    }

    String text(String selector) {
        return see(selector).getText();
    }

    String value(String selector) {
        return requireNonNull(see(selector).getDomProperty("value"));
    }

    /** Answers what the page asks in a window of its own. Returns the question. */
    String answerQuestion(boolean yes) {
        Alert question = waiting("There is no question").until(ExpectedConditions.alertIsPresent());
        String text = requireNonNull(question.getText());
        if (yes) {
            question.accept();
        } else {
            question.dismiss();
        }
        return text;
    }

    /** The text in twice its size, as set in the browser. */
    void enlargeText() {
        run("document.documentElement.style.fontSize = '200%'");
    }

    void usualText() {
        run("document.documentElement.style.fontSize = ''");
    }

    /** Clicks once. If the page renews the element at that moment, it has not been clicked. */
    void click(String selector) {
        boolean unused = waiting(selector + " cannot be clicked").until(driver -> {
            displayed(selector).click();
            return true;
        });
    }

    void type(String selector, String text) {
        WebElement field = see(selector);
        field.clear();
        field.sendKeys(text);
    }

    void choose(String selector, String value) {
        new Select(see(selector)).selectByValue(value);
    }

    /** Keys to whatever has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Goes forward from control to control, as without a mouse. */
    void tabTo(String selector) {
        for (int i = 0; i < MOST_CONTROLS; i++) {
            if (hasFocus(selector)) {
                return;
            }
            press(Keys.TAB);
        }
        throw new AssertionError(selector + " is not reached with the keyboard at " + path());
    }

    boolean hasFocus(String selector) {
        return driver.switchTo().activeElement().equals(see(selector));
    }

    String window() {
        return driver.getWindowHandle();
    }

    /** Another window beside this one, which it returns. */
    String openWindow(String address) {
        driver.switchTo().newWindow(WindowType.WINDOW);
        driver.get(address);
        return window();
    }

    void switchTo(String window) {
        driver.switchTo().window(window);
    }

    Object run(String script, Object... arguments) {
        return requireNonNull(((JavascriptExecutor) driver).executeScript("return " + script, arguments));
    }

    Object runAsync(String script, Object... arguments) {
        return requireNonNull(driver.executeAsyncScript(script, arguments));
    }

    void command(String name, Map<String, Object> parameters) {
        driver.executeCdpCommand(name, parameters);
    }

    /** What the person prefers: light or dark. */
    void look(String scheme) {
        command(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                // So that no check looks at a colour on its way to another.
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** Where the person is, as in {@code Asia/Tokyo}; empty for where this machine is. */
    void zone(String id) {
        command("Emulation.setTimezoneOverride", Map.of("timezoneId", id));
    }

    void phone() {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 360, "height", 740, "deviceScaleFactor", 2, "mobile", true));
    }

    void desktop() {
        command("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    /** Words of buttons and tables on two lines. A break between words is none. */
    private static final String BROKEN_WORDS = """
            [...document.querySelectorAll('button, .button, td, th')].flatMap(part => {
              const broken = [];
              const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
              while (texts.nextNode()) {
                for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                  const range = document.createRange();
                  range.setStart(texts.currentNode, word.index);
                  range.setEnd(texts.currentNode, word.index + word[0].length);
                  if (new Set([...range.getClientRects()].map(line => Math.round(line.top))).size > 1) {
                    broken.push(word[0]);
                  }
                }
              }
              return broken;
            }).join('; ')""";

    /** Nothing is beyond the right edge, and no word is broken to make it fit. */
    void assertFits() {
        assertThat(run(BROKEN_WORDS)).as("broken words at %s", path()).isEqualTo("");
        assertThat(run("[...document.querySelectorAll('body *')].filter(part => part.getBoundingClientRect().right"
                        + " > document.documentElement.clientWidth + 1 && !part.closest('.scroll, .skip, .visually-hidden'))"
                        + ".map(part => part.outerHTML.slice(0, 80)).join('; ')"))
                .as("parts beyond the edge at %s", path())
                .isEqualTo("");
        assertThat(run("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                .as("pixels beyond the edge at %s", path())
                .isEqualTo(0L);
    }

    void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), wholePage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Also what is below the window's edge. */
    private byte[] wholePage() {
        Object height = run("document.documentElement.scrollHeight");
        Object width = run("document.documentElement.clientWidth");
        Map<String, Object> picture = driver.executeCdpCommand(
                "Page.captureScreenshot",
                Map.of(
                        "captureBeyondViewport",
                        true,
                        "clip",
                        Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1)));
        return Base64.getDecoder().decode(requireNonNull(picture.get("data")).toString());
    }

    private WebDriverWait waiting(String failure) {
        WebDriverWait waiting = new WebDriverWait(driver, PATIENCE, Duration.ofMillis(100)) {
            @Override
            public <V> V until(Function<? super WebDriver, ? extends V> isTrue) {
                return super.until(unused -> {
                    try {
                        return isTrue.apply(driver);
                    } catch (WebDriverException e) {
                        throw isStale(e) ? new StaleElementReferenceException(e.getMessage(), e) : e;
                    }
                });
            }
        };
        waiting.ignoring(NoSuchElementException.class, StaleElementReferenceException.class);
        waiting.withMessage(() -> failure + " at " + path());
        return waiting;
    }

    /** What Chromium says, at times, of an element of the page before. */
    private static boolean isStale(WebDriverException e) {
        return String.valueOf(e.getMessage()).contains("does not belong to the document");
    }

    @Override
    public void close() {
        driver.quit();
    }
}
