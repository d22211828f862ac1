package dev.weir.redis;

import dev.weir.ManualTime;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.ScriptRequest;
import dev.weir.redis.internal.script.Batch;
import dev.weir.redis.internal.script.ScriptExecutor;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Sends questions in one call of the script, in a given order. */
final class OneCall implements AutoCloseable {
  private final KeyNames names = new KeyNames("default");
  private final EncodedPolicyCache policies = new EncodedPolicyCache();
  private final ManualTime time;
  private final ScriptExecutor executor;

  OneCall(String uri, ManualTime time) {
    this.time = time;
    this.executor =
        ScriptExecutor.open(
            RedisStore.builder(uri).timeout(Duration.ofSeconds(30)).settings(), time);
  }

  /** The answers, in the order of the questions; each may be a failure of its own. */
  List<CompletableFuture<Verdicts>> decide(List<Question> questions) {
    Batch batch = new Batch();
    List<ScriptRequest> requests = new ArrayList<>();
    for (Question question : questions) {
      ScriptRequest request = request(question);
      requests.add(request);
      batch.add(request);
    }
    batch.complete(executor.send(0, batch).toCompletableFuture().join(), false);
    return requests.stream()
        .map(request -> request.reply.thenApply(reply -> reply.verdicts(names)))
        .toList();
  }

  private ScriptRequest request(Question question) {
    return ScriptRequest.of(
        OperationCode.of(question.operation()),
        question.claims(),
        OptionalLong.empty(),
        time.nowMicros(),
        policies,
        names);
  }

  @Override
  public void close() {
    executor.close();
  }
}
