package dev.ttlstore.sample.operator;

import java.security.Principal;

import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.ttlstore.sample.web.Page;

import jakarta.servlet.http.HttpServletRequest;

/** The login page of the operator and of senders. Spring Security does the rest. */
@Page
class LoginController {

    @GetMapping("/login")
    String login(
            @RequestParam(required = false) @Nullable String error,
            @RequestParam(required = false) @Nullable String out,
            @Nullable Principal known,
            HttpServletRequest request,
            Model model) {
        model.addAttribute("title", "Login");
        model.addAttribute("failed", error != null);
        model.addAttribute("out", out != null);
        model.addAttribute("next", Logins.next(request).orElse(""));
        model.addAttribute("known", known == null ? "" : known.getName());
        return "login";
    }
}
