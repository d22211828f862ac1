/**
 * A client of the service: for programs that ask it instead of counting themselves.
 *
 * <p>Start at {@link dev.weir.remote.WeirClient}. {@code CallAttempts} sends a call within its
 * deadline, {@code AnswerReader} makes a {@link dev.weir.remote.RemoteDecision} of what came back.
 */
@NullMarked
package dev.weir.remote;

import org.jspecify.annotations.NullMarked;
