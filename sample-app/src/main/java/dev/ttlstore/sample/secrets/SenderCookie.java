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
        return Optional.ofNullable(token(request)).map(Holder::new).map(Holder::sender);
    }

    /** A sender with the token that only the browser knows. */
    record Holder(String token) {

        Sender sender() {
            return new Sender(Hashes.of(token));
        }

        /** Omits the token, which is a secret. */
        @Override
        public String toString() {
            return "Holder";
        }
    }

    /** Returns the holder of the cookie, or a new one if the browser has none. */
    Holder knownOrNew(HttpServletRequest request) {
        String token = token(request);
        if (token != null) {
            return new Holder(token);
        }
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return new Holder(HexFormat.of().formatHex(bytes));
    }

    /** Sets the cookie, or renews it for thirty days. */
    void set(Holder holder, HttpServletRequest request, HttpServletResponse response) {
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                ResponseCookie.from(NAME, holder.token())
                        .path("/page")
                        .httpOnly(true)
                        .secure(request.isSecure())
                        .sameSite("Strict")
                        .maxAge(KEPT)
                        .build()
                        .toString());
    }

    private static @Nullable String token(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, NAME);
        return cookie != null && TOKEN.matcher(cookie.getValue()).matches() ? cookie.getValue() : null;
    }
}
