package dev.ttlstore.spring.idempotency;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/** The status and headers of a response. Once it is committed nothing changes them any more, as with the container's response. */
abstract class ResponseHead extends HttpServletResponseWrapper {

    private @Nullable Locale locale;

    ResponseHead(HttpServletResponse response) {
        super(response);
    }

    @Override
    public void setStatus(int status) {
        if (!isCommitted()) {
            super.setStatus(status);
        }
    }

    @Override
    public void addCookie(Cookie cookie) {
        if (!isCommitted()) {
            super.addCookie(cookie);
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            setContentType(value);
        } else if (!isCommitted()) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, String value) {
        if (name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
            setContentType(value);
        } else if (!isCommitted()) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setDateHeader(String name, long date) {
        if (!isCommitted()) {
            super.setDateHeader(name, date);
        }
    }

    @Override
    public void addDateHeader(String name, long date) {
        if (!isCommitted()) {
            super.addDateHeader(name, date);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        if (!isCommitted()) {
            super.setIntHeader(name, value);
        }
    }

    @Override
    public void addIntHeader(String name, int value) {
        if (!isCommitted()) {
            super.addIntHeader(name, value);
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (!isCommitted()) {
            super.setContentType(type);
        }
    }

    @Override
    public void setContentLength(int length) {
        if (!isCommitted()) {
            super.setContentLength(length);
        }
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!isCommitted()) {
            super.setContentLengthLong(length);
        }
    }

    @Override
    public void setLocale(@Nullable Locale newLocale) {
        if (!isCommitted()) {
            super.setLocale(newLocale);
            locale = newLocale;
        }
    }

    @Override
    public void reset() {
        super.reset();
        locale = null;
    }

    /** Returns the language that was set; null if none was. Tomcat has its header only when the response is committed. */
    @Nullable
    String language() {
        return locale == null ? null : locale.toLanguageTag();
    }
}
