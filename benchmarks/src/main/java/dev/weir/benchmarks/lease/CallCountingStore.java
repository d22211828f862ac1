package dev.weir.benchmarks.lease;

import dev.weir.Receipt;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/** Counts the questions that reach a store. Safe for many threads. */
final class CallCountingStore extends ForwardingLimitStore {
  final LongAdder calls = new LongAdder();

  CallCountingStore(LimitStore store) {
    super(store);
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    calls.increment();
    return super.decide(question);
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    calls.increment();
    return super.lease(question, times);
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    calls.increment();
    return super.refund(receipt);
  }
}
