package dev.ttlstore.sample.operator;

import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

import dev.ttlstore.sample.web.Page;

/** The operator's login page. Spring Security does the rest. */
@Page
class LoginController {

    @GetMapping("/login")
    String login(
            @RequestParam(required = false) @Nullable String error,
            @RequestParam(required = false) @Nullable String out,
            Model model) {
        model.addAttribute("title", "Login");
        model.addAttribute("failed", error != null);
        model.addAttribute("out", out != null);
        return "login";
    }
}
