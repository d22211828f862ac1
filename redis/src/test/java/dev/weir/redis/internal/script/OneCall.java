package dev.weir.redis.internal.script;

import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.redis.internal.connection.ConnectionSettings;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends questions in one call of the script, in a given order; equal neighbours are merged. */
public final class OneCall implements AutoCloseable {
  private final ConnectionSettings settings;
  private final @Nullable TimeSource clientTime;
  private final RequestEncoder encoder;
  private final ScriptExecutor executor;

  /**
   * @param clientTime decides instead of the server's clock
   * @param estimatedTime selects the windows of calendars
   */
  public OneCall(
      ConnectionSettings settings, @Nullable TimeSource clientTime, TimeSource estimatedTime) {
    this.settings = settings;
    this.clientTime = clientTime;
    this.encoder = new RequestEncoder(new EncodedPolicyCache(), settings.names(), estimatedTime);
    this.executor = ScriptExecutor.open(settings, clientTime);
  }

  /** The answers, in the order of the questions; each may be a failure of its own. */
  public List<CompletableFuture<Verdicts>> decide(List<Question> questions) {
    return decide(questions, false);
  }

  /**
   * @param acrossSlots sends single claims as to a Cluster where their keys are in different hash
   *     slots
   */
  public List<CompletableFuture<Verdicts>> decide(List<Question> questions, boolean acrossSlots) {
    Batch batch = new Batch();
    List<CompletableFuture<Verdicts>> answers = new ArrayList<>();
    EqualQuestions last = null;
    for (Question question : questions) {
      AskedQuestion asked = asked(question, acrossSlots);
      if (last == null || !asked.canBeMerged() || !asked.equals(last.asked)) {
        last = new EqualQuestions(asked, encoder);
        batch.add(last);
      }
      WaitingCaller caller = new WaitingCaller(0);
      last.join(caller);
      answers.add(caller);
    }
    batch.forEach(batch.replies(send(batch), clientTime == null), this::complete);
    return answers;
  }

  private void complete(EqualQuestions questions, ScriptReply reply) {
    try {
      questions.complete(reply, settings.names(), () -> {});
    } catch (StoreUnavailableException failure) {
      questions.fail(failure);
    }
  }

  /** Whether the script refused the question because it is in another window of its calendar. */
  public boolean missesEdge(Question question) {
    Batch batch = new Batch();
    batch.add(new EqualQuestions(asked(question, false), encoder));
    return batch.replies(send(batch), clientTime == null).get(0).missedEdge();
  }

  private List<Object> send(Batch batch) {
    return executor.send(batch).toCompletableFuture().join();
  }

  private static AskedQuestion asked(Question question, boolean acrossSlots) {
    int slot = acrossSlots ? question.claims().get(0).key().hashCode() : 0;
    return new AskedQuestion(
        OperationCode.of(question.operation()), question.claims(), QuestionHead.of(question), slot);
  }

  @Override
  public void close() {
    executor.close();
  }
}
