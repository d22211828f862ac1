package dev.weir.redis.internal.script;

import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.MergedVerdicts;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one question, in the order they came, and the request that asks it for all of
 * them. Callers join until it is sent. Not safe for many threads: {@link RequestBatcher} locks.
 */
final class EqualQuestions {
  final AskedQuestion asked;

  /** Whether it was sent with so many callers that new ones wait for its answer. */
  boolean isPopular;

  private final RequestEncoder encoder;
  private volatile @Nullable ScriptRequest request;
  private boolean isRepeated;
  private @Nullable WaitingCaller first;
  private @Nullable WaitingCaller last;
  private int callers;

  EqualQuestions(AskedQuestion asked, RequestEncoder encoder) {
    this.asked = asked;
    this.encoder = encoder;
  }

  void join(WaitingCaller caller) {
    if (last == null) {
      first = caller;
    } else {
      last.next = caller;
    }
    last = caller;
    callers++;
  }

  int callers() {
    return callers;
  }

  /** Removes the callers that need no answer any more, and returns them. */
  List<WaitingCaller> remove(Predicate<WaitingCaller> isOver) {
    if (!hasAny(isOver)) {
      return List.of();
    }
    List<WaitingCaller> removed = new ArrayList<>();
    WaitingCaller caller = first;
    first = null;
    last = null;
    callers = 0;
    while (caller != null) {
      WaitingCaller next = caller.next;
      caller.next = null;
      if (isOver.test(caller)) {
        removed.add(caller);
      } else {
        join(caller);
      }
      caller = next;
    }
    return removed;
  }

  private boolean hasAny(Predicate<WaitingCaller> kind) {
    for (WaitingCaller caller = first; caller != null; caller = caller.next) {
      if (kind.test(caller)) {
        return true;
      }
    }
    return false;
  }

  /** Encoded when it is first needed, normally on the caller's thread. */
  ScriptRequest request() {
    ScriptRequest known = request;
    if (known == null) {
      known = encoder.request(asked);
      request = known;
    }
    return known;
  }

  /** The question as the script reads it. */
  byte[] encode(int[] keyIndexes, int answerIndex) {
    return request().encode(keyIndexes, answerIndex, isMerged() ? callers : 1);
  }

  /** Whether the script is told a count. A peek changes nothing: one answer is for all callers. */
  boolean isMerged() {
    return callers > 1 && asked.operation() == OperationCode.ACQUIRE;
  }

  /** Prepares to be sent again, encoded for another time of the store; false the second time. */
  boolean repeatAt(long storeMicros) {
    if (isRepeated) {
      return false;
    }
    isRepeated = true;
    request = request().at(storeMicros);
    return true;
  }

  /**
   * Gives every caller its own answer.
   *
   * @param taken run first if permits were taken
   */
  void complete(ScriptReply reply, KeyNames names, Runnable taken) {
    if (!isMerged()) {
      Verdicts same = reply.verdicts(names);
      runIf(same.allowed(), taken);
      answerAll(same);
    } else {
      MergedVerdicts merged = reply.mergedVerdicts(names);
      runIf(merged.anyAllowed(), taken);
      forEach(caller -> caller.complete(merged.next()));
    }
  }

  void answerAll(Verdicts same) {
    forEach(caller -> caller.complete(same));
  }

  private void runIf(boolean allowed, Runnable taken) {
    if (allowed && asked.takesPermits()) {
      taken.run();
    }
  }

  void fail(Throwable failure) {
    forEach(caller -> caller.completeExceptionally(failure));
  }

  /** Unlinks the callers, so that a reference to one does not keep the others in memory. */
  private void forEach(Consumer<WaitingCaller> action) {
    WaitingCaller caller = first;
    while (caller != null) {
      WaitingCaller next = caller.next;
      caller.next = null;
      action.accept(caller);
      caller = next;
    }
  }
}
