package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** A store around another one, which it asks unless it knows better. */
abstract class Decorator implements LimitStore {
  final LimitStore store;

  Decorator(LimitStore store) {
    this.store = store;
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
  public String node(Claim claim) {
    return store.node(claim);
  }

  @Override
  public OptionalInt instances() {
    return store.instances();
  }

  @Override
  public List<String> warnings() {
    return store.warnings();
  }

  @Override
  public void close() {
    store.close();
  }
}
