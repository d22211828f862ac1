package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.internal.arithmetic.InFlightMeter;
import dev.weir.internal.arithmetic.SlidingLogMeter;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The answer of the script to one question. Derives the verdicts from it, with the same arithmetic
 * as the memory store.
 */
public final class ScriptReply {
  private static final String EDGE = "EDGE";
  private static final Pattern REFUSED_KEY =
      Pattern.compile("non.?local key|undeclared key|same slot|CROSSSLOT");
  private static final Long ALL_FIT = 1L;
  private static final byte[] NO_LOGS = new byte[0];

  private final ScriptRequest request;
  private final boolean serverTime;
  private final long now;
  private final Object answer;
  private final List<byte[]> values;
  private final Optional<UUID> repeatOf;

  /**
   * @param answer the script's answer to this question
   * @param values the states that the script reported, one per claim; none if it failed
   */
  private ScriptReply(
      ScriptRequest request,
      boolean serverTime,
      long now,
      Object answer,
      List<byte[]> values,
      Optional<UUID> repeatOf) {
    this.repeatOf = repeatOf;
    this.request = request;
    this.serverTime = serverTime;
    this.now = now;
    this.answer = answer;
    this.values = values;
  }

  /**
   * Extracts the answer to one question from the script's reply to a batch.
   *
   * @param values the states of all questions; those of this one are next, unless it failed
   * @param keyIndexes per claim, which of the call's keys it is about: a state is not repeated for
   *     a claim on the same key as the one before
   */
  public static ScriptReply of(
      ScriptRequest request,
      boolean serverTime,
      long now,
      Object answer,
      Iterator<Object> values,
      int[] keyIndexes) {
    if (isError(answer)) {
      return new ScriptReply(request, serverTime, now, answer, List.of(), Optional.empty());
    }
    List<byte[]> own = new ArrayList<>(keyIndexes.length);
    for (int i = 0; i < keyIndexes.length; i++) {
      boolean again = i > 0 && keyIndexes[i] == keyIndexes[i - 1];
      own.add(again ? own.get(i - 1) : (byte[]) values.next());
    }
    return answer instanceof List<?> parts && parts.size() > 2
        ? repeated(request, serverTime, now, parts, own)
        : new ScriptReply(request, serverTime, now, answer, own, Optional.empty());
  }

  /** Extracts the answer to a question of one claim from the reply of decide_each.lua. */
  public static ScriptReply ofSingle(
      ScriptRequest request, boolean serverTime, long now, Object part) {
    if (part instanceof List<?> failed) {
      boolean isDecided = failed.size() > 1; // decided, but its write was refused
      Object error = failed.get(0);
      return new ScriptReply(
          request,
          serverTime,
          now,
          isDecided ? List.of(error) : error,
          isDecided ? List.of((byte[]) failed.get(1)) : List.of(),
          Optional.empty());
    }
    byte[] bytes = (byte[]) part;
    int code = PackedState.lengthBefore(bytes);
    Object answer = code == 0 ? ALL_FIT : Arrays.copyOf(bytes, code);
    byte[] state = code == 0 ? bytes : Arrays.copyOfRange(bytes, code, bytes.length);
    return new ScriptReply(request, serverTime, now, answer, List.of(state), Optional.empty());
  }

  /** An answer that was given before ('='), or a denial that was decided again ('~'). */
  private static ScriptReply repeated(
      ScriptRequest request, boolean serverTime, long now, List<?> parts, List<byte[]> values) {
    boolean asBefore = ((byte[]) parts.get(0))[0] == '=';
    int code = asBefore ? 3 : 1;
    byte[] logs = (byte[]) parts.get(code + 1);
    Object answer =
        logs.length == 0 ? parts.get(code) : List.of(parts.get(code), parts.get(code + 1));
    return new ScriptReply(
        request,
        serverTime,
        asBefore ? Long.parseLong(text(parts.get(2))) : now,
        answer,
        values,
        asBefore ? Optional.of(QuestionHead.holder((byte[]) parts.get(1))) : request.holder());
  }

  /** Whether it is the text of an error: that begins with a letter, others with '0' or '1'. */
  private static boolean isError(Object answer) {
    return answer instanceof byte[] bytes && bytes[0] != '0' && bytes[0] != '1';
  }

  /** The store's time of the answer. */
  public long now() {
    return now;
  }

  /** Whether a calendar window of the question does not contain the store's time. */
  public boolean missedEdge() {
    return isError(answer) && text(answer).equals(EDGE);
  }

  /** Whether the server refused a key because the call did not name it, or it lives elsewhere. */
  public boolean refusedKey() {
    return isError(answer) && REFUSED_KEY.matcher(text(answer)).find();
  }

  /** The answer to a question that was sent alone. */
  public Verdicts verdicts(KeyNames names) {
    Misfits misfits = Misfits.of(code(names));
    List<ClaimState> states = states();
    List<Verdict> verdicts = new ArrayList<>(states.size());
    for (int i = 0; i < states.size(); i++) {
      Claim claim = request.claims.get(i);
      boolean fits = !misfits.claims.get(i);
      if (fits && misfits.allowed) {
        takeReported(i, states.get(i));
      }
      verdicts.add(
          request.operation(i) == OperationCode.CHARGE
              ? states.get(i).chargeVerdict(claim.permits())
              : states.get(i).verdict(claim.permits(), fits));
    }
    return new Verdicts(misfits.allowed, verdicts, repeatOf);
  }

  /** The answers to equal questions that were sent as one. */
  public MergedVerdicts mergedVerdicts(KeyNames names) {
    return new MergedVerdicts(request.claims, states(), (byte[]) code(names));
  }

  /** The answer to one question that the script was told to ask this many times. */
  public LeaseAnswer leaseAnswer(KeyNames names, int times) {
    if (times > 1) {
      return mergedVerdicts(names).all(times);
    }
    Verdicts once = verdicts(names);
    return new LeaseAnswer(once.allowed() ? 1 : 0, once);
  }

  /** The script's verdict; throws if the script reported an error instead. */
  private Object code(KeyNames names) {
    if (isError(answer)) {
      throw Failures.of(text(answer), names);
    }
    if (answer instanceof List<?> parts) {
      if (parts.size() == 1) { // decided, but its write was refused
        throw Failures.of(text(parts.get(0)), names);
      }
      return parts.get(0);
    }
    return answer;
  }

  /** The states that the script reported, in the order of the claims. */
  private List<ClaimState> states() {
    byte[] logs = answer instanceof List<?> parts ? (byte[]) parts.get(1) : NO_LOGS;
    ByteBuffer log = ByteBuffer.wrap(logs).order(ByteOrder.LITTLE_ENDIAN);
    List<ClaimState> states = new ArrayList<>(request.policies.size());
    for (int i = 0; i < request.policies.size(); i++) {
      EncodedPolicy policy = request.policies.get(i);
      states.add(
          switch (policy.meter.form()) {
            case LOG -> new LogView((SlidingLogMeter) policy.meter, log, now);
            case SLOTS -> new SlotsView((InFlightMeter) policy.meter, log, serverTime, now);
            case NUMBERS -> new PackedState(values.get(i), serverTime, now).view(policy);
          });
    }
    return states;
  }

  /** Takes the question's permits from logs and slots, which are reported as they were before. */
  private void takeReported(int claim, ClaimState state) {
    long permits = request.claims.get(claim).permits();
    OperationCode operation = request.operation(claim);
    long taken = 0;
    if (state instanceof LogView log && operation == OperationCode.CHARGE) {
      boolean debt = !request.claims.get(claim).policy().shadow();
      taken =
          ((SlidingLogMeter) request.policies.get(claim).meter).charged(permits, log.used(), debt);
    } else if (state instanceof RecordView record) {
      if (permits > 0
          && (operation == OperationCode.ACQUIRE || operation == OperationCode.CHARGE)) {
        record.takenByScript();
      }
    } else if (operation == OperationCode.ACQUIRE) {
      taken = permits;
    }
    if (taken > 0) {
      state.take(taken);
    }
  }

  /** Whether the question is allowed, and which of its claims do not fit. */
  private record Misfits(boolean allowed, BitSet claims) {
    private static final Misfits NONE = new Misfits(true, new BitSet(0));

    static Misfits of(Object code) {
      if (!(code instanceof byte[] bytes)) {
        return NONE;
      }
      BitSet claims = new BitSet();
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      boolean allowed = in.get() == '1';
      while (in.hasRemaining()) {
        claims.set(Short.toUnsignedInt(in.getShort()) - 1);
      }
      return new Misfits(allowed, claims);
    }
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }
}
