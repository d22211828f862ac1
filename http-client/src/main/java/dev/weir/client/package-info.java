/**
 * The other side of a limit. {@link dev.weir.client.PacedHttpClient} sends requests no faster than
 * a server's answers allow; {@link dev.weir.client.AnswerLimits} reads them, for any client.
 */
@NullMarked
package dev.weir.client;

import org.jspecify.annotations.NullMarked;
