package org.example.accounts;

import java.security.Principal;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpSession;

/** Says who is logged in, and keeps what the user has chosen. */
@RestController
class AccountController {

    @GetMapping("/account")
    String account(Principal user, HttpSession session, @RequestParam(required = false) @Nullable String choose) {
        if (choose != null) {
            session.setAttribute("cart", new Cart(List.of(choose)));
        }
        Object cart = session.getAttribute("cart");
        return user.getName() + (cart == null ? "" : " " + ((Cart) cart).items());
    }
}
