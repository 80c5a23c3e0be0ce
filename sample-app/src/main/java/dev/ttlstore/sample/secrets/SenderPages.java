package dev.ttlstore.sample.secrets;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.ExpiredForms;
import dev.ttlstore.sample.web.Page;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * The pages of the sender. Its form does what the script of the page does, for browsers whose script is blocked, late or
 * failing.
 */
@Page
@RegisterReflectionForBinding({SenderPages.Length.class, SenderPages.Views.class
}) // for native images: the templates read them by reflection
class SenderPages {

    private static final String DEFAULT_LENGTH = "PT1H";
    private static final List<Integer> VIEWS = List.of(1, 2, 3, 5, 10);

    private final SenderController sender;
    private final CreationRules rules;
    private final SecretsProperties properties;

    SenderPages(SenderController sender, CreationRules rules, SecretsProperties properties) {
        this.sender = sender;
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
        model.addAttribute("longest", rules.longest().toMillis());
        // A secret that already waits cannot be extended by the whole of that.
        model.addAttribute("extensions", Length.upTo(rules.longest().minusMillis(1), DEFAULT_LENGTH));
        return "sender";
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
            model.addAttribute("id", created.id());
            model.addAttribute("expiresAt", created.expiresAt());
            return "created";
        } catch (Refusal refusal) {
            refusal.setStatusAndWait(response);
            model.addAttribute("newTeam", refusal.status() == HttpStatus.CONFLICT);
            return again(team, typed, ttl, passphrase, views, refusal.text(), model);
        }
    }

    /** Renders the sender's form again if its token has expired. */
    @PostMapping(path = "/page/secrets" + ExpiredForms.AGAIN, consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    @ResponseStatus(HttpStatus.FORBIDDEN)
    String expired(
            @RequestParam(defaultValue = "") String team,
            @RequestParam(defaultValue = "") String value,
            @RequestParam(defaultValue = "") String ttl,
            @RequestParam(defaultValue = "") String passphrase,
            @RequestParam(defaultValue = "1") int views,
            Model model) {
        return again(team, value.replace("\r\n", "\n"), ttl, passphrase, views, ExpiredForms.PROBLEM, model);
    }

    private String again(
            String team, String value, String ttl, String passphrase, int views, String problem, Model model) {
        model.addAttribute("problem", problem);
        model.addAttribute("value", value);
        model.addAttribute("passphrase", passphrase);
        model.addAttribute("options", views > 1 || !passphrase.isEmpty());
        return sender(team, ttl, views, model);
    }

    /** Deletes a secret by the form beside its link. Only its sender's browser has the cookie. */
    @PostMapping(path = "/page/delete", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    String delete(
            @RequestParam(defaultValue = "") String team,
            @RequestParam(defaultValue = "") String id,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        model.addAttribute("title", "Secret deleted");
        model.addAttribute("team", Team.check(team));
        try {
            sender.delete(new SenderController.Own(team, id), request);
            model.addAttribute("deleted", true);
        } catch (Refusal refusal) {
            refusal.setStatusAndWait(response);
            model.addAttribute("title", "Secret no longer available");
            model.addAttribute("problem", refusal.text());
        }
        return "deleted";
    }

    /** Leads someone back who opens the address of a form. */
    @GetMapping({"/page/secrets", "/page/delete"})
    String back() {
        return "redirect:/";
    }

    private static String link(String team, String key) {
        return ServletUriComponentsBuilder.fromCurrentContextPath()
                        .path("/reveal")
                        .build() + "#" + team + "/" + key;
    }
}
