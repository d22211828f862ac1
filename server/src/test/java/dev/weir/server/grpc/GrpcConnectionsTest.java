package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.grpc.message.RateLimitRequest;
import dev.weir.server.grpc.message.RateLimitResponse;
import dev.weir.server.grpc.message.RateLimitServiceGrpc.RateLimitServiceImplBase;
import dev.weir.server.hostile.RawHttp2;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many clients send calls while all event loops are busy with a call of another. */
final class GrpcConnectionsTest {
  private static final int LOOPS = Runtime.getRuntime().availableProcessors();
  private static final int CLIENTS = 20 * LOOPS;
  private static final int CALLS = 10;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final ConnectionRegistry registry = new ConnectionRegistry(10_000, false);
  private final GrpcConnections connections = new GrpcConnections(registry);
  private final OpenCallCounter counter = new OpenCallCounter();
  private final BusyService service = new BusyService();
  private final List<RawHttp2> clients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (RawHttp2 client : clients) {
      client.close();
    }
    connections.close();
  }

  /** A pass of an event loop that reads all of them would hold all their calls in the heap. */
  @Test
  void callsOfManyNewConnectionsAreReadInTurns() throws Exception {
    Server server =
        connections
            .configure(
                NettyServerBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
            .directExecutor()
            .addStreamTracerFactory(counter)
            .addService(service)
            .build()
            .start();
    for (int loop = 1; loop <= LOOPS; loop++) {
      send(server, 1);
      int busy = loop;
      await().atMost(SOON).until(() -> service.waiting.get() == busy);
    }
    for (int i = 0; i < CLIENTS; i++) {
      send(server, CALLS);
    }
    await().atMost(SOON).until(() -> registry.size() == LOOPS + CLIENTS);
    service.free.countDown();
    await().atMost(SOON).until(() -> counter.ended.get() == LOOPS + CLIENTS * CALLS);
    assertThat(counter.most.get()).isLessThanOrEqualTo(3 * LOOPS * CALLS);
    server.shutdownNow();
  }

  private void send(Server server, int calls) throws IOException {
    RawHttp2 client = RawHttp2.inCleartext(server.getPort(), 65_535);
    clients.add(client);
    for (int stream = 1; stream < 2 * calls; stream += 2) {
      client.call(stream, Map.of());
      client.data(stream, RawHttp2.message(0, new byte[0]), true);
    }
    client.flush();
  }

  /** Keeps the event loop of each call until it is let go. */
  private static final class BusyService extends RateLimitServiceImplBase {
    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch free = new CountDownLatch(1);

    @Override
    public void shouldRateLimit(
        RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
      waiting.incrementAndGet();
      try {
        free.await();
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
      observer.onNext(RateLimitResponse.getDefaultInstance());
      observer.onCompleted();
    }
  }

  /** How many calls were under way at once. */
  private static final class OpenCallCounter extends ServerStreamTracer.Factory {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
      most.accumulateAndGet(open.incrementAndGet(), Math::max);
      return new ServerStreamTracer() {
        @Override
        public void streamClosed(Status status) {
          open.decrementAndGet();
          ended.incrementAndGet();
        }
      };
    }
  }
}
