package dev.weir.redis.internal.script;

import dev.weir.internal.arithmetic.Meter.Form;
import dev.weir.redis.internal.connection.LiveConnection;
import dev.weir.redis.internal.connection.NodeConnection;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects the batcher that a question waits in: the only one of a single server; on a Cluster that
 * of its server, or that of its hash slot if it cannot share calls with other keys. Safe for many
 * threads.
 */
final class BatcherSelector {
  private static final int CALLS_IN_FLIGHT = 2;

  /** Of a Cluster's servers: while one works, so do the others, and batches are larger. */
  private static final int CALLS_IN_FLIGHT_PER_NODE = 1;

  private final Topology topology;
  private final EncodedPolicyCache policies;
  private final CrossSlotSupport crossSlotSupport;
  private final RequestBatcher.Calls calls;
  private final Duration patience;
  private final RequestBatcher only;
  private final ConcurrentHashMap<Integer, RequestBatcher> bySlot = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<NodeConnection, RequestBatcher> byNode =
      new ConcurrentHashMap<>();

  /**
   * @param patience how long a question may wait to be sent
   */
  BatcherSelector(
      Topology topology,
      EncodedPolicyCache policies,
      CrossSlotSupport crossSlotSupport,
      RequestBatcher.Calls calls,
      Duration patience) {
    this.topology = topology;
    this.policies = policies;
    this.crossSlotSupport = crossSlotSupport;
    this.calls = calls;
    this.patience = patience;
    this.only = newBatcher(CALLS_IN_FLIGHT, () -> topology.node(0));
  }

  RequestBatcher of(AskedQuestion asked) {
    if (!topology.isSpread()) {
      return only;
    }
    NodeConnection node = isSingleClaim(asked) ? topology.node(asked.slot()) : null;
    return node != null && crossSlotSupport.isAllowed(node.address())
        ? ofNode(node)
        : ofSlot(asked.slot());
  }

  /** Whether decide_across_slots.lua can answer it. */
  private boolean isSingleClaim(AskedQuestion asked) {
    return asked.claims().size() == 1
        && asked.head().holder().isEmpty()
        && policies.encode(asked.claims().get(0).policy()).meter.form() == Form.NUMBERS;
  }

  private RequestBatcher ofNode(NodeConnection node) {
    RequestBatcher known = byNode.get(node);
    if (known == null) {
      byNode.keySet().removeIf(NodeConnection::isClosed);
      known =
          byNode.computeIfAbsent(node, each -> newBatcher(CALLS_IN_FLIGHT_PER_NODE, () -> each));
    }
    return known;
  }

  /** The batcher whose calls are about keys of one hash slot. */
  RequestBatcher ofSlot(int slot) {
    if (!topology.isSpread()) {
      return only;
    }
    RequestBatcher known = bySlot.get(slot);
    return known != null
        ? known
        : bySlot.computeIfAbsent(
            slot, each -> newBatcher(CALLS_IN_FLIGHT, () -> topology.node(each)));
  }

  private RequestBatcher newBatcher(int inFlight, Supplier<@Nullable NodeConnection> node) {
    return new RequestBatcher(
        calls, inFlight, patience, () -> roundTripNanos(node.get()), System::nanoTime);
  }

  private static long roundTripNanos(@Nullable NodeConnection node) {
    LiveConnection live = node == null ? null : node.live();
    return live == null ? 0 : live.roundTrip().nanos();
  }
}
