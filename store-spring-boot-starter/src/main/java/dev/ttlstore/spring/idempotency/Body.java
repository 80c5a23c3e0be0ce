package dev.ttlstore.spring.idempotency;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;

/**
 * What is compared of the body of a request: what the application has got of it.
 *
 * @param form how the application has got it
 * @param hash its hash
 * @param length how many bytes were read; zero unless they were read as they came
 * @param isComplete whether that was all
 */
record Body(Form form, String hash, long length, boolean isComplete) {

    /** How an application gets a body. Never reordered, because the number is stored. */
    enum Form {
        /** As it comes. */
        BYTES,
        /** As parameters that the container has read. */
        PARAMETERS,
        /** As parts that the container has read, and parameters. */
        PARTS
    }

    private static final String FORM = "application/x-www-form-urlencoded";

    private static final String PARTS = "multipart/form-data";

    /** Tests whether the container reads the body of a request when it is asked for a parameter. */
    static boolean hasParameters(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null) {
            return false;
        }
        int end = type.indexOf(';');
        String name = (end < 0 ? type : type.substring(0, end)).strip();
        return name.equalsIgnoreCase(FORM) || name.equalsIgnoreCase(PARTS);
    }

    static Body ofParameters(Map<String, String[]> parameters) {
        return new Body(Form.PARAMETERS, add(new Hasher(), parameters).hex(), 0, true);
    }

    static Body ofParts(Collection<Part> parts, Map<String, String[]> parameters) throws IOException {
        Hasher hash = new Hasher();
        for (Part part : parts) {
            hash.add(part.getName()).add(part.getSubmittedFileName() == null ? "" : part.getSubmittedFileName());
            try (InputStream content = part.getInputStream()) {
                hash.add(content);
            }
        }
        return new Body(Form.PARTS, add(hash, parameters).hex(), 0, true);
    }

    private static Hasher add(Hasher hash, Map<String, String[]> parameters) {
        for (Map.Entry<String, String[]> parameter : new TreeMap<>(parameters).entrySet()) {
            hash.add(parameter.getKey()).add(String.valueOf(parameter.getValue().length));
            Arrays.stream(parameter.getValue()).forEach(hash::add);
        }
        return hash;
    }

    /** Tests whether another request has the same body. Reads it, because only the first request gets to the application. */
    boolean isOf(HttpServletRequest request) throws IOException {
        try {
            return switch (form) {
                case BYTES -> beginsWithThis(request.getInputStream());
                case PARAMETERS -> equals(ofParameters(request.getParameterMap()));
                case PARTS -> equals(ofParts(request.getParts(), request.getParameterMap()));
            };
        } catch (ServletException | IllegalStateException e) { // no parts, or too many
            return false;
        }
    }

    private boolean beginsWithThis(InputStream content) throws IOException {
        Hasher found = new Hasher();
        byte[] buffer = new byte[8_192];
        long left = length;
        while (left > 0) {
            int read = content.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (read < 0) {
                return false;
            }
            found.update(buffer, 0, read);
            left -= read;
        }
        return found.hex().equals(hash) && (!isComplete || content.read() < 0);
    }
}
