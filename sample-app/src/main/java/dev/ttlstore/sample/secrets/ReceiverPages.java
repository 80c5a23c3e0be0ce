package dev.ttlstore.sample.secrets;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;

import dev.ttlstore.sample.web.ExpiredForms;
import dev.ttlstore.sample.web.Page;
import dev.ttlstore.sample.web.Refusal;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * The pages of the receiver. Requesting a page changes nothing, so link previews use up nothing. The form is for browsers
 * whose script is blocked, late or failing. Whatever is wrong, it comes back with the link.
 */
@Page
@RegisterReflectionForBinding({Secrets.Waiting.class, Secrets.Revealed.class
}) // for native images: the templates read them by reflection
class ReceiverPages {

    /** A link, or its part after the #, perhaps with a full stop that is not part of it. */
    private static final Pattern LINK =
            Pattern.compile("(?:.*#)?([a-zA-Z0-9-]+)/([A-Za-z0-9_-]{24})(?:/[A-Za-z0-9_-]{48})?[^\\w-]*");

    private static final String ANSWER = "revealed";

    private final ReceiverController receiver;

    ReceiverPages(ReceiverController receiver) {
        this.receiver = receiver;
    }

    /** Shows the same page to everyone: browsers do not send the part of the link with the key. */
    @GetMapping("/reveal")
    String receiver(Model model) {
        describe(model);
        return "reveal";
    }

    private static void describe(Model model) {
        model.addAttribute("title", "A secret for you");
        model.addAttribute("recipient", true);
    }

    /**
     * Answers the form, into which the link was pasted, with the secret. What the sender's browser has encrypted is not
     * used up: only the script of the page can read it.
     */
    @PostMapping(path = "/page/reveal", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    String reveal(
            @RequestParam(defaultValue = "") String link,
            @RequestParam(defaultValue = "") String passphrase,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        describe(model);
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
            return ANSWER;
        } catch (Refusal refusal) {
            refusal.setStatusAndWait(response);
            boolean gone = refusal.status() == HttpStatus.NOT_FOUND;
            return again(link, gone ? "" : refusal.text(), gone, model);
        }
    }

    /** Renders the form again if its token has expired. */
    @PostMapping(path = "/page/reveal" + ExpiredForms.AGAIN, consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    @ResponseStatus(HttpStatus.FORBIDDEN)
    String expired(@RequestParam(defaultValue = "") String link, Model model) {
        describe(model);
        return again(link, ExpiredForms.PROBLEM, false, model);
    }

    private static String again(String link, String problem, boolean gone, Model model) {
        model.addAttribute("again", true);
        model.addAttribute("link", link);
        model.addAttribute("problem", problem);
        model.addAttribute("gone", gone);
        return ANSWER;
    }

    /** Leads someone back who opens the address of the form. */
    @GetMapping("/page/reveal")
    String back() {
        return "redirect:/reveal";
    }
}
