package dev.weir.redis.internal.protocol;

import dev.weir.Claim;
import dev.weir.internal.BoundedKey;
import dev.weir.internal.QuestionName;
import dev.weir.internal.Settlements;
import dev.weir.spi.Question;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The part of an encoded question that comes before its claims. Immutable.
 *
 * @param grantedAt of a refund or settlement: when the permits were granted
 * @param holder the id that holds the slots, and that is stored with a remembered answer
 * @param answer where the answer is remembered, to be repeated if the question is asked again
 * @param charged of a settlement: indexes of the claims that cost more than was granted
 */
public record QuestionHead(
    OptionalLong grantedAt,
    Optional<UUID> holder,
    Optional<RepeatedAnswer> answer,
    BitSet charged) {
  private static final QuestionHead NONE =
      new QuestionHead(OptionalLong.empty(), Optional.empty(), Optional.empty(), new BitSet(0));

  private static final int WITH_HOLDER = 16;
  private static final int WITH_ANSWER = 32;
  private static final int HOLDER_BYTES = 16;
  private static final int ANSWER_BYTES = 2 + 4;

  /** The name of an answer in one hash slot, and how long it is repeated. */
  public record RepeatedAnswer(String name, Duration kept) {
    private static RepeatedAnswer named(String question, Duration kept) {
      return new RepeatedAnswer(BoundedKey.digest(question), kept);
    }
  }

  /** Of a question without a holder, a time of granting and a remembered answer. */
  public static QuestionHead none() {
    return NONE;
  }

  public static QuestionHead of(Question question) {
    return question.holder().isEmpty()
        ? NONE
        : new QuestionHead(OptionalLong.empty(), question.holder(), answer(question), NONE.charged);
  }

  private static Optional<RepeatedAnswer> answer(Question question) {
    return question
        .requestId()
        .map(
            id ->
                RepeatedAnswer.named(
                    QuestionName.ofDecision(question.operation(), question.claims(), id.text()),
                    id.remembered()));
  }

  public static QuestionHead ofRefund(OptionalLong grantedAt, Optional<UUID> holder) {
    return new QuestionHead(grantedAt, holder, Optional.empty(), NONE.charged);
  }

  /** A settlement is encoded as a refund that charges some claims instead, with an answer. */
  public static QuestionHead ofSettlement(
      OptionalLong grantedAt, UUID holder, List<Claim> claims, BitSet charged) {
    RepeatedAnswer answer =
        RepeatedAnswer.named(QuestionName.ofSettlement(holder, claims), Settlements.REMEMBERED);
    return new QuestionHead(grantedAt, Optional.of(holder), Optional.of(answer), charged);
  }

  /** The size of the holder and the answer, which follow the operation and the number. */
  int bytes() {
    return (holder.isPresent() ? HOLDER_BYTES : 0) + (answer.isPresent() ? ANSWER_BYTES : 0);
  }

  /**
   * Writes everything before the claims.
   *
   * @param answerIndex the index of the answer's key in KEYS, from 1
   */
  void write(ByteBuffer out, OperationCode operation, int questions, int answerIndex) {
    int flags = (holder.isPresent() ? WITH_HOLDER : 0) + (answer.isPresent() ? WITH_ANSWER : 0);
    out.put((byte) (operation.code() + flags));
    out.putDouble(questions > 1 ? questions : grantedAt.orElse(0));
    holder.ifPresent(id -> out.put(bytes(id)));
    answer.ifPresent(each -> out.putShort((short) answerIndex).putInt((int) each.kept.toMillis()));
  }

  /** An id as the scripts write it into members of sorted sets. */
  public static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(HOLDER_BYTES)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  static UUID holder(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new UUID(in.getLong(), in.getLong());
  }
}
