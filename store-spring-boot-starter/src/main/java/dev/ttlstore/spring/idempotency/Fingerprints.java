package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.http.MediaType;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;

/** What tells requests apart: method, path, query and body. */
final class Fingerprints {

    private Fingerprints() {}

    /** Tests whether the container parses the body of a request: then it must not be read before. */
    static boolean isForm(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null && (startsWith(type, MediaType.APPLICATION_FORM_URLENCODED_VALUE) || isMultipart(request));
    }

    private static boolean isMultipart(HttpServletRequest request) {
        String type = request.getContentType();
        return type != null && startsWith(type, MediaType.MULTIPART_FORM_DATA_VALUE);
    }

    private static boolean startsWith(String type, String start) {
        return type.regionMatches(true, 0, start, 0, start.length());
    }

    /** Returns the fingerprint of a request whose body was read. */
    static String of(BufferedRequest request) {
        return start(request).add(request.body()).hex();
    }

    /** Returns the fingerprint of a form. */
    static String ofForm(HttpServletRequest request) throws IOException, ServletException {
        Hash hash = start(request);
        if (isMultipart(request)) {
            for (Part part : request.getParts()) {
                hash.add(part.getName()).add(part.getSubmittedFileName() == null ? "" : part.getSubmittedFileName());
                try (InputStream content = part.getInputStream()) {
                    hash.add(content);
                }
            }
        }
        for (Map.Entry<String, String[]> parameter : new TreeMap<>(request.getParameterMap()).entrySet()) {
            hash.add(parameter.getKey()).add(String.valueOf(parameter.getValue().length));
            Arrays.stream(parameter.getValue()).forEach(hash::add);
        }
        return hash.hex();
    }

    private static Hash start(HttpServletRequest request) {
        return new Hash()
                .add(request.getMethod())
                .add(request.getRequestURI())
                .add(request.getQueryString() == null ? "" : request.getQueryString());
    }
}
