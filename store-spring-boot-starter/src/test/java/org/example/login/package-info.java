/** An application whose users log in with links by mail, or stay logged in. */
@NullMarked
package org.example.login;

import org.jspecify.annotations.NullMarked;
