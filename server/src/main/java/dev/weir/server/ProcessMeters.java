package dev.weir.server;

import dev.weir.MemoryStore;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.service.AdminOverrides;
import dev.weir.server.service.Health;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.List;
import java.util.function.ToLongFunction;

/** Meters of the process, besides those of its decisions. */
final class ProcessMeters {
  private ProcessMeters() {}

  static void bind(MeterRegistry registry) {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  static void bind(MeterRegistry registry, MemoryStore memory, long maxKeys) {
    Gauge.builder("weir.memory.keys", memory, MemoryStore::keys)
        .description("Keys in memory, counted per limit")
        .register(registry);
    Gauge.builder("weir.memory.keys.max", () -> maxKeys)
        .description("The most keys that memory may hold")
        .register(registry);
    Gauge.builder("weir.memory.fill", memory, MemoryStore::fill)
        .description("The part of the room for keys that is taken; 1 is full")
        .register(registry);
    FunctionCounter.builder("weir.memory.keys.forgotten", memory, MemoryStore::forgottenKeys)
        .description("Partly used keys that were forgotten to make room")
        .register(registry);
    FunctionCounter.builder("weir.memory.keys.refused", memory, MemoryStore::refusedKeys)
        .description("How often a new key found no room")
        .register(registry);
  }

  static void bind(MeterRegistry registry, AdminOverrides overrides) {
    Gauge.builder("weir.kill.switch", overrides, state -> state.killed() ? 1 : 0)
        .description("1 while everything is allowed")
        .register(registry);
    Gauge.builder("weir.blocks", overrides, state -> state.blocks().count())
        .description("Keys that an administrator has blocked")
        .register(registry);
  }

  static void bind(MeterRegistry registry, Health health) {
    Gauge.builder("weir.health.degraded", health, state -> state.reasons().isEmpty() ? 0 : 1)
        .description("1 while GET /healthz names a reason why the service is degraded")
        .register(registry);
  }

  static void bind(MeterRegistry registry, List<ServerPort> ports) {
    Gauge.builder("weir.http.connections", ports, all -> sum(all, ConnectionRegistry::size))
        .description("Connections that are open")
        .strongReference(true)
        .register(registry);
    FunctionCounter.builder(
            "weir.http.connections.evicted", ports, all -> sum(all, ConnectionRegistry::evicted))
        .description("Idle connections that were closed because there were too many")
        .register(registry);
  }

  private static double sum(List<ServerPort> ports, ToLongFunction<ConnectionRegistry> number) {
    return ports.stream().map(ServerPort::connections).mapToLong(number).sum();
  }
}
