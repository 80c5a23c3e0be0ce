package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.Page;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * The pages of the sender and the receiver. Requesting a page changes nothing, so link previews use up nothing. The
 * forms of the pages do what their scripts do, for browsers whose script is blocked, late or failing.
 */
@Page
@RegisterReflectionForBinding({
    SecretPages.Length.class,
    SecretPages.Views.class,
    Secrets.Waiting.class,
    Secrets.Revealed.class
}) // for native images: the templates read them by reflection
class SecretPages {

    private static final String DEFAULT_LENGTH = "PT1H";
    private static final List<Integer> VIEWS = List.of(1, 2, 3, 5, 10);

    /** A link, or its part after the #, perhaps with a full stop that is not part of it. */
    private static final Pattern LINK =
            Pattern.compile("(?:.*#)?([a-zA-Z0-9-]+)/([A-Za-z0-9_-]{24})(?:/[A-Za-z0-9_-]{48})?[^\\w-]*");

    private final SenderController sender;
    private final ReceiverController receiver;
    private final CreationRules rules;
    private final SecretsProperties properties;

    SecretPages(
            SenderController sender, ReceiverController receiver, CreationRules rules, SecretsProperties properties) {
        this.sender = sender;
        this.receiver = receiver;
        this.rules = rules;
        this.properties = properties;
    }

    /** A ttl to choose. */
    record Length(String ttl, String name, boolean chosen) {

        /** Returns the lengths up to the longest that the sender may choose. */
        static List<Length> upTo(Duration longest, String chosen) {
            return Stream.of(
                            of("PT5M", "5 minutes", chosen),
                            of("PT1H", "1 hour", chosen),
                            of("PT8H", "8 hours", chosen),
                            of("P1D", "1 day", chosen),
                            of("P7D", "7 days", chosen),
                            of("P30D", "30 days", chosen))
                    .filter(length -> Duration.parse(length.ttl).compareTo(longest) <= 0)
                    .toList();
        }

        private static Length of(String ttl, String name, String chosen) {
            return new Length(ttl, name, ttl.equals(chosen));
        }
    }

    /** A number of views to choose. */
    record Views(int count, boolean chosen) {}

    @GetMapping("/")
    String sender(@RequestParam(required = false) @Nullable String team, Model model) {
        return sender(team == null ? properties.team() : Team.check(team), DEFAULT_LENGTH, 1, model);
    }

    private String sender(String team, String ttl, int views, Model model) {
        model.addAttribute("title", "New secret");
        model.addAttribute("team", team);
        model.addAttribute("lengths", Length.upTo(rules.longest(), ttl));
        model.addAttribute(
                "viewCounts",
                VIEWS.stream().map(count -> new Views(count, count == views)).toList());
        // A secret that already waits cannot be extended by the whole of that.
        model.addAttribute("extensions", Length.upTo(rules.longest().minusMillis(1), DEFAULT_LENGTH));
        return "sender";
    }

    /** Shows the same page to everyone: browsers do not send the part of the link with the key. */
    @GetMapping("/reveal")
    String receiver(Model model) {
        model.addAttribute("title", "A secret for you");
        model.addAttribute("recipient", true);
        return "reveal";
    }

    /** Answers the sender's form with the link, which is shown only here, or with the form and what is wrong in it. */
    @PostMapping(path = "/page/secrets", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    String create(
            @RequestParam(defaultValue = "") String team,
            @RequestParam(defaultValue = "") String value,
            @RequestParam(defaultValue = "") String ttl,
            @RequestParam(defaultValue = "false") boolean newTeam,
            @RequestParam(defaultValue = "") String passphrase,
            @RequestParam(defaultValue = "1") int views,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        // Forms end lines as HTTP does, and not as they were typed.
        String typed = value.replace("\r\n", "\n");
        try {
            SenderController.Created created = sender.create(
                    new SenderController.Composed(team, typed, ttl, newTeam, passphrase, views, false),
                    request,
                    response);
            model.addAttribute("title", "Your link");
            model.addAttribute("team", team);
            model.addAttribute("link", link(team, created.key()));
            model.addAttribute("expiresAt", created.expiresAt());
            return "created";
        } catch (Refusal refusal) {
            response.setStatus(refusal.status().value());
            model.addAttribute("problem", refusal.text());
            model.addAttribute("newTeam", refusal.status() == HttpStatus.CONFLICT);
            model.addAttribute("value", typed);
            model.addAttribute("passphrase", passphrase);
            model.addAttribute("options", views > 1 || !passphrase.isEmpty());
            return sender(team, ttl, views, model);
        }
    }

    /**
     * Answers the receiver's form, into which the link was pasted, with the secret. What the sender's browser has
     * encrypted is not used up: only the script of the page can read it.
     */
    @PostMapping(path = "/page/reveal", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    String reveal(
            @RequestParam(defaultValue = "") String link,
            @RequestParam(defaultValue = "") String passphrase,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        receiver(model);
        Matcher parts = LINK.matcher(link.strip());
        ReceiverController.Link named = parts.matches()
                ? new ReceiverController.Link(parts.group(1), parts.group(2), passphrase)
                : new ReceiverController.Link(null, null, passphrase);
        try {
            if (receiver.look(named, request).sealed()) {
                model.addAttribute("sealed", true);
            } else {
                model.addAttribute("revealed", receiver.reveal(named, request));
            }
        } catch (Refusal refusal) {
            if (refusal.status() != HttpStatus.NOT_FOUND) {
                throw refusal;
            }
            response.setStatus(refusal.status().value());
            model.addAttribute("gone", true);
        }
        return "revealed";
    }

    private static String link(String team, String key) {
        return ServletUriComponentsBuilder.fromCurrentContextPath()
                        .path("/reveal")
                        .build() + "#" + team + "/" + key;
    }
}
