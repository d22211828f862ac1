package dev.weir.benchmarks.envoy;

import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitServiceGrpc;
import dev.weir.server.grpc.message.RateLimitServiceGrpc.RateLimitServiceStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Calls one server over one connection, as a proxy does. Used by one thread. */
final class GrpcLoad implements AutoCloseable {
  private static final int KEYS = 1000;
  private static final long LONGEST_MICROS = 10_000_000;

  private final ManagedChannel channel;
  private final RateLimitServiceStub stub;
  private final RateLimitRequest[] requests = new RateLimitRequest[KEYS];
  private final LongAdder failures = new LongAdder();
  private int next;

  GrpcLoad(int port) {
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().directExecutor().build();
    stub = RateLimitServiceGrpc.newStub(channel);
    for (int i = 0; i < KEYS; i++) {
      RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("benchmark");
      request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("user-" + i);
      requests[i] = request.build();
    }
  }

  /** Calls per second with so many under way. */
  double perSecond(int inFlight, double seconds) throws InterruptedException {
    Semaphore places = new Semaphore(inFlight);
    LongAdder answers = new LongAdder();
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      places.acquire();
      ask(
          () -> {
            answers.increment();
            places.release();
          });
    }
    places.acquire(inFlight);
    return answers.sum() * 1e9 / (System.nanoTime() - start);
  }

  /** How long calls take that are sent at a steady rate, from when they were due; microseconds. */
  Histogram latency(double perSecond, double seconds) throws InterruptedException {
    ConcurrentHistogram micros = new ConcurrentHistogram(LONGEST_MICROS, 3);
    long calls = (long) (perSecond * seconds);
    Semaphore answered = new Semaphore(0);
    long start = System.nanoTime();
    for (long i = 0; i < calls; i++) {
      long due = start + (long) (i * 1e9 / perSecond);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(Math.min(50_000, due - System.nanoTime()));
      }
      ask(
          () -> {
            micros.recordValue(Math.min(LONGEST_MICROS, (System.nanoTime() - due) / 1000));
            answered.release();
          });
    }
    answered.tryAcquire((int) calls, 20, TimeUnit.SECONDS);
    return micros;
  }

  private void ask(Runnable done) {
    stub.shouldRateLimit(
        requests[next++ % KEYS],
        new StreamObserver<>() {
          @Override
          public void onNext(RateLimitResponse response) {}

          @Override
          public void onError(Throwable failed) {
            failures.increment();
            done.run();
          }

          @Override
          public void onCompleted() {
            done.run();
          }
        });
  }

  /** Calls that ended with an error so far. */
  long failures() {
    return failures.sum();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
