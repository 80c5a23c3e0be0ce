/** An application whose users log in at an OpenID provider, which can log them out. */
@NullMarked
package org.example.sso;

import org.jspecify.annotations.NullMarked;
