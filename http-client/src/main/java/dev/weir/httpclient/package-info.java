/**
 * The other side of a limit. {@link dev.weir.httpclient.PacedHttpClient} sends requests no faster
 * than a server's answers allow; {@link dev.weir.httpclient.AnswerLimits} reads them, for any
 * client.
 */
@NullMarked
package dev.weir.httpclient;

import org.jspecify.annotations.NullMarked;
