package dev.weir.server.grpc;

import dev.weir.server.connection.OpenConnection;
import dev.weir.server.http.RequestMemory;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * All calls under way, the oldest first. The memory they hold counts together with that of HTTP
 * requests; when it becomes too much, the oldest calls are given up. Safe for many threads.
 */
final class OpenCallRegistry extends ServerStreamTracer.Factory implements ServerInterceptor {
  /** What the stream of a call takes besides its fields and messages. */
  private static final long CALL_BYTES = 8192;

  /** What a field takes besides its name and value. */
  private static final long FIELD_BYTES = 32;

  private static final Status NO_ROOM =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "calls under way hold too much memory, and this one is unfinished");

  /** For a call that has just begun; clients of gRPC may ask again after this status. */
  private static final Status SHED =
      Status.UNAVAILABLE.withDescription("calls under way hold too much memory");

  /** How long to wait after a search through all calls that did not free enough memory. */
  private static final long SEARCH_PAUSE_NANOS = 50_000_000;

  private final RequestMemory memory;
  private final Duration callTime;
  private final LongSupplier nanoTime;
  private final AtomicLong held;
  private final AtomicLong begun = new AtomicLong();
  private volatile long searchAgainNanos;
  private final ConcurrentSkipListMap<Long, OpenCall> open = new ConcurrentSkipListMap<>();

  /** Calls that were given up for their memory, until their clients have read that status. */
  private final Map<Long, OpenCall> givenUp = new ConcurrentHashMap<>();

  /**
   * @param callTime how long a message, or the reading of an answer, may take
   */
  OpenCallRegistry(RequestMemory memory, Duration callTime, LongSupplier nanoTime) {
    this.memory = memory;
    this.callTime = callTime;
    this.nanoTime = nanoTime;
    this.held = memory.addLoop();
    this.searchAgainNanos = nanoTime.getAsLong();
    memory.onPressure(this::makeRoom);
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    OpenCall call = new OpenCall(begun.incrementAndGet(), this, held, nowNanos());
    open.put(call.number(), call);
    call.hold(CALL_BYTES + bytes(headers));
    return call;
  }

  /** Reads the fields as they came: asking for each by its name would decode all of them. */
  private static long bytes(Metadata headers) {
    long bytes = FIELD_BYTES * InternalMetadata.headerCount(headers);
    for (byte[] nameOrValue : InternalMetadata.serialize(headers)) {
      bytes += nameOrValue.length;
    }
    return bytes;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    OpenCall current = OpenCall.CURRENT.get();
    OpenConnection connection = call.getAttributes().get(GrpcConnections.CONNECTION);
    if (connection != null) {
      connection.used(System.currentTimeMillis());
    }
    EndableCall<Q, R> endable = new EndableCall<>(call, current);
    current.started(endable, connection);
    makeRoomIfHigh();
    if (memory.isFull()) {
      current.giveUp(SHED);
      memory.countGivenUp(1);
      return new ServerCall.Listener<>() {};
    }
    boolean one = call.getMethodDescriptor().getType().clientSendsOneMessage();
    return new SimpleForwardingServerCallListener<>(next.startCall(endable, headers)) {
      @Override
      public void onMessage(Q message) {
        if (!one) {
          current.arrived();
        }
        super.onMessage(message);
      }

      @Override
      public void onHalfClose() {
        current.arrived();
        super.onHalfClose();
      }
    };
  }

  void makeRoomIfHigh() {
    if (memory.isHigh()) {
      makeRoom();
      if (memory.isHigh()) {
        memory.askAllForRoom();
      }
    }
  }

  private void makeRoom() {
    long now = nowNanos();
    if (now - searchAgainNanos < 0) {
      return;
    }
    for (OpenCall oldest : open.values()) {
      if (!memory.isHigh()) {
        return;
      }
      if (!oldest.mayBeGivenUp(now)) {
        continue;
      }
      givenUp.put(oldest.number(), oldest);
      if (open.remove(oldest.number()) == null) {
        givenUp.remove(oldest.number()); // it has just ended
      } else {
        oldest.giveUp(NO_ROOM);
        memory.countGivenUp(1);
      }
    }
    searchAgainNanos = nowNanos() + SEARCH_PAUSE_NANOS;
  }

  /**
   * Ends calls that have waited for their client for too long; to be called about once a second.
   */
  void endLate() {
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "the message did not arrive in " + callTime.toMillis() + " ms");
    endLate(open, late);
    endLate(givenUp, late);
  }

  private void endLate(Map<Long, OpenCall> calls, Status late) {
    long now = nowNanos();
    for (OpenCall call : calls.values()) {
      if (call.isLate(now, callTime.toNanos())) {
        call.giveUp(late);
      }
    }
  }

  void leaving(long bytes) {
    memory.leaving(bytes);
  }

  void ended(OpenCall call) {
    open.remove(call.number());
    givenUp.remove(call.number());
  }

  long nowNanos() {
    return nanoTime.getAsLong();
  }
}
