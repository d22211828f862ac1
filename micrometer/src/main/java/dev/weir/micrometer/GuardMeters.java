package dev.weir.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What the guards around a store are doing. */
final class GuardMeters {
  private final MeterRegistry registry;
  private final Map<String, AtomicInteger> openByNode = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> refusingByNode = new ConcurrentHashMap<>();
  private final AtomicInteger fallback = new AtomicInteger();
  private final Counter opened;

  GuardMeters(MeterRegistry registry) {
    this.registry = registry;
    opened =
        Counter.builder("weir.breaker.opened")
            .description("How often a node of the store was given up for a while")
            .register(registry);
    Gauge.builder("weir.fallback.active", fallback, AtomicInteger::get)
        .description("1 while local shares stand in for the store")
        .strongReference(true)
        .register(registry);
  }

  void opened(String node) {
    opened.increment();
    open(node).set(1);
  }

  void closed(String node) {
    open(node).set(0);
  }

  void refuses(String node, boolean refusing) {
    refusingByNode.computeIfAbsent(node, this::registerRefusing).set(refusing ? 1 : 0);
  }

  void fallback(boolean active) {
    fallback.set(active ? 1 : 0);
  }

  private AtomicInteger open(String node) {
    return openByNode.computeIfAbsent(node, this::register);
  }

  private AtomicInteger register(String node) {
    return gauge(
        "weir.breaker.open",
        "1 while no calls are sent to a node of the store, because it does not answer",
        node);
  }

  private AtomicInteger registerRefusing(String node) {
    return gauge(
        "weir.node.refusing", "1 while a node of the store answers calls with errors", node);
  }

  private AtomicInteger gauge(String name, String description, String node) {
    AtomicInteger value = new AtomicInteger();
    Gauge.builder(name, value, AtomicInteger::get)
        .description(description)
        .tag("node", node)
        .strongReference(true)
        .register(registry);
    return value;
  }
}
