package dev.weir.spring.gateway;

import dev.weir.Claim;
import dev.weir.MemoryStore;
import dev.weir.Receipt;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store behind which tests put others, so that one gateway serves many tests. */
final class SwitchableGatewayStore implements LimitStore {
  private volatile LimitStore store = MemoryStore.create();

  void use(LimitStore next) {
    store = next;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return store.decide(question);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return store.refund(receipt);
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return store.reset(claims);
  }

  @Override
  public void close() {
    store.close();
  }
}
