/**
 * A client of the service: for programs that ask it instead of counting themselves.
 *
 * <p>Start at {@link dev.weir.client.WeirClient}. {@code CallAttempts} sends a call within its
 * deadline, {@code AnswerReader} makes a {@link dev.weir.client.RemoteDecision} of what came back.
 */
@NullMarked
package dev.weir.client;

import org.jspecify.annotations.NullMarked;
