package dev.ttlstore.sample.web;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request whose body was read before. It parses the parameters of a form itself, because the server would look for
 * them in the body.
 */
final class ReadBody extends HttpServletRequestWrapper {

    private final Stream stream;
    private final String form;
    private @Nullable MultiValueMap<String, String> parameters;

    ReadBody(HttpServletRequest request, byte[] body) {
        super(request);
        this.stream = new Stream(new ByteArrayInputStream(body));
        boolean isForm = HttpMethod.POST.matches(request.getMethod())
                && StringUtils.startsWithIgnoreCase(
                        request.getContentType(), MediaType.APPLICATION_FORM_URLENCODED_VALUE);
        this.form = isForm ? new String(body, StandardCharsets.UTF_8) : "";
    }

    /** Parses the parameters when they are needed, as the server does, so that the reader's errors are handled. */
    private MultiValueMap<String, String> parameters() {
        if (parameters == null) {
            MultiValueMap<String, String> parsed = new LinkedMultiValueMap<>();
            // The stream is in use, so these are the parameters of the address only.
            super.getParameterMap().forEach((name, values) -> parsed.addAll(name, List.of(values)));
            for (String field : StringUtils.tokenizeToStringArray(form, "&")) {
                String[] parts = field.split("=", 2);
                parsed.add(decoded(parts[0]), parts.length == 1 ? "" : decoded(parts[1]));
            }
            parameters = parsed;
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message quotes what was sent
            throw new InvalidParameterException("A field of the form cannot be decoded");
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        return stream;
    }

    @Override
    public BufferedReader getReader() {
        String encoding = getCharacterEncoding();
        return new BufferedReader(
                new InputStreamReader(stream, encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding)));
    }

    @Override
    public @Nullable String getParameter(String name) {
        return parameters().getFirst(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        Map<String, String[]> all = new LinkedHashMap<>();
        parameters().forEach((name, values) -> all.put(name, values.toArray(String[]::new)));
        return Collections.unmodifiableMap(all);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameters().keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    private static final class Stream extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        Stream(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("Reading a body asynchronously is not supported");
        }
    }
}
