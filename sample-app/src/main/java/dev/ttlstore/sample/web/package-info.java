/** What every part of the sample needs of HTTP: answers, their headers, limits and clients. */
@NullMarked
package dev.ttlstore.sample.web;

import org.jspecify.annotations.NullMarked;
