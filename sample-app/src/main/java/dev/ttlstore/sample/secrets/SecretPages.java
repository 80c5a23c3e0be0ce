package dev.ttlstore.sample.secrets;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

import dev.ttlstore.sample.team.Team;
import dev.ttlstore.sample.web.Page;
import dev.ttlstore.sample.web.Refusal;
import dev.ttlstore.sample.web.SecretsProperties;

/** The pages of the sender and the receiver. Requesting a page changes nothing, so link previews use up nothing. */
@Page
class SecretPages {

    private final SecretsProperties properties;

    SecretPages(SecretsProperties properties) {
        this.properties = properties;
    }

    @GetMapping("/")
    String sender(@RequestParam(required = false) @Nullable String team, Model model) {
        model.addAttribute("title", "New secret");
        model.addAttribute("team", team == null ? properties.team() : Team.check(team));
        return "sender";
    }

    /**
     * Answers the form of the sender's page if the browser sends it instead of the page's script. Its fields have no
     * names, so the request does not contain the secret. The body is ignored.
     */
    @PostMapping("/")
    ModelAndView withoutScript() {
        throw Refusal.of(
                        HttpStatus.BAD_REQUEST,
                        "No link was created, and nothing was stored. Go back, reload the page, and allow its script.")
                .titled("This page needs its script");
    }

    /** Shows the same page to everyone: browsers do not send the part of the link with the key. */
    @GetMapping("/reveal")
    String receiver(Model model) {
        model.addAttribute("title", "A secret for you");
        return "reveal";
    }
}
