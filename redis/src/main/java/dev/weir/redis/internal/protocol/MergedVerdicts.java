package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers to equal questions that the script has answered as one.
 *
 * <p>The script says how many questions are allowed, and how many fit each claim. The first
 * questions are the allowed ones. The verdicts (remaining, wait, time) are computed one after the
 * other: from the states before the first question, by taking from them as often as the script did.
 * Not safe for many threads.
 */
public final class MergedVerdicts {
  private final List<Claim> claims;
  private final List<ClaimState> states;
  private final long allowed;
  private final long[] fitting;
  private long answered;
  private @Nullable Verdicts denial;

  /**
   * @param code how many are allowed, and how many fit each claim, as the script encodes it
   * @param states the states before the first question
   */
  MergedVerdicts(List<Claim> claims, List<ClaimState> states, byte[] code) {
    this.claims = claims;
    this.states = states;
    ByteBuffer in = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN).position(1);
    allowed = Integer.toUnsignedLong(in.getInt());
    fitting = new long[claims.size()];
    for (int i = 0; i < fitting.length; i++) {
      fitting[i] = Integer.toUnsignedLong(in.getInt());
    }
  }

  /** Whether at least one question is allowed. */
  public boolean anyAllowed() {
    return allowed > 0;
  }

  /**
   * All answers at once.
   *
   * @param asked how many equal questions were merged
   */
  LeaseAnswer all(int asked) {
    List<Verdict> verdicts = new ArrayList<>(claims.size());
    for (int i = 0; i < claims.size(); i++) {
      long taken = Math.min(allowed, fitting[i]);
      long permits = claims.get(i).permits();
      if (taken > 0 && permits > 0) {
        states.get(i).take(taken * permits);
      }
      verdicts.add(states.get(i).verdict(permits, fitting[i] > allowed || allowed == asked));
    }
    return new LeaseAnswer((int) allowed, new Verdicts(allowed == asked, verdicts));
  }

  /** The answer to the next question, in the order of arrival. */
  public Verdicts next() {
    long taken = Math.min(answered, allowed);
    boolean isAllowed = answered++ < allowed;
    if (!isAllowed && denial != null) {
      return denial; // denials take nothing, so they are all the same
    }
    List<Verdict> verdicts = new ArrayList<>(claims.size());
    for (int i = 0; i < claims.size(); i++) {
      verdicts.add(verdict(i, fitting[i] > taken, isAllowed));
    }
    Verdicts answer = new Verdicts(isAllowed, verdicts);
    denial = isAllowed ? null : answer;
    return answer;
  }

  private Verdict verdict(int claim, boolean fits, boolean isAllowed) {
    long permits = claims.get(claim).permits();
    if (fits && isAllowed && permits > 0) {
      states.get(claim).take(permits);
    }
    return states.get(claim).verdict(permits, fits);
  }
}
