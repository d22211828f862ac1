package dev.weir.server;

import dev.weir.MemoryStore;
import dev.weir.server.service.AdminOverrides;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.util.concurrent.atomic.AtomicInteger;

/** What an operator wants to know of the process, besides its decisions. */
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
  }

  static void bind(MeterRegistry registry, AdminOverrides switches) {
    Gauge.builder("weir.kill.switch", switches, state -> state.killed() ? 1 : 0)
        .description("1 while everything is allowed")
        .register(registry);
    Gauge.builder("weir.blocks", switches, state -> state.blocks().all().size())
        .description("Keys that an administrator has blocked")
        .register(registry);
  }

  static void bind(MeterRegistry registry, AtomicInteger connections) {
    Gauge.builder("weir.http.connections", connections, AtomicInteger::get)
        .description("Connections that are open")
        .register(registry);
  }
}
