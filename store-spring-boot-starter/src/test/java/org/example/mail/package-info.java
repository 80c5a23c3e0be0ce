/** An application with message flows and a chat, as a user writes it. */
@NullMarked
package org.example.mail;

import org.jspecify.annotations.NullMarked;
