package dev.ttlstore.sample.secrets;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.util.WebUtils;

import dev.ttlstore.sample.web.Hashes;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Identifies a sender by a random cookie of 128 bits. The browser sends it only to the actions of the page. */
@Component
class SenderCookie {

    static final String NAME = "sender";

    private static final Duration KEPT = Duration.ofDays(30);
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{32}");

    private final SecureRandom random = new SecureRandom();

    /** Returns the sender, if the browser has a cookie. */
    Optional<Sender> known(HttpServletRequest request) {
        return Optional.ofNullable(token(request)).map(token -> new Sender(Hashes.of(token)));
    }

    /** Returns the sender. Sets a new cookie, or renews the existing one for thirty days. */
    Sender renewed(HttpServletRequest request, HttpServletResponse response) {
        String token = token(request);
        if (token == null) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            token = HexFormat.of().formatHex(bytes);
        }
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                ResponseCookie.from(NAME, token)
                        .path("/page")
                        .httpOnly(true)
                        .secure(request.isSecure())
                        .sameSite("Strict")
                        .maxAge(KEPT)
                        .build()
                        .toString());
        return new Sender(Hashes.of(token));
    }

    private static @Nullable String token(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, NAME);
        return cookie != null && TOKEN.matcher(cookie.getValue()).matches() ? cookie.getValue() : null;
    }
}
