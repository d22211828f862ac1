package dev.weir.server;

import dev.weir.Policy;
import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.Workers;
import dev.weir.server.dashboard.LiveView;
import dev.weir.server.dashboard.RecentRequests;
import dev.weir.server.dashboard.StoreLatency;
import dev.weir.server.dashboard.TrafficRecorder;
import dev.weir.server.dashboard.WhatIf;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.http.dashboard.CandidateCalls;
import dev.weir.server.http.dashboard.DashboardCalls;
import dev.weir.server.http.dashboard.DashboardPage;
import dev.weir.server.http.dashboard.KeyCalls;
import dev.weir.server.http.dashboard.TryCall;
import dev.weir.server.service.AuditTrail;
import dev.weir.server.service.FleetMembership;
import dev.weir.server.service.Health;
import dev.weir.server.service.KeyBlocks;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDeniedKeys;
import dev.weir.spi.LimitStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The parts of the service that the dashboard is made of. */
record Dashboard(
    DashboardPage page,
    TrafficRecorder traffic,
    StoreLatency latency,
    LiveView live,
    RecentRequests recent,
    AuditTrail audit) {
  private static final Duration SECOND = Duration.ofSeconds(1);

  static Dashboard of(
      TrafficRecorder traffic,
      RecentRequests recent,
      MeterRegistry registry,
      TopDeniedKeys denied,
      Health health,
      SharedAdminOverrides overrides,
      LimitStore store,
      FleetMembership fleet) {
    StoreLatency latency = new StoreLatency(registry);
    return new Dashboard(
        new DashboardPage(),
        traffic,
        latency,
        new LiveView(traffic, latency, denied, health, overrides, store, fleet),
        recent,
        new AuditTrail(System::currentTimeMillis));
  }

  /** Moves what was counted into the history, every second until it is closed. */
  RepeatingTask start() {
    return new RepeatingTask("the history of the dashboard", Workers.EXECUTOR, this::tick)
        .start(SECOND);
  }

  private void tick() {
    traffic.tick();
    latency.tick();
  }

  /**
   * @param storeCalls for everybody
   * @param work for administrators
   */
  void addTo(
      Router router,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate,
      ServerContext shared,
      ServerOptions options) {
    StoreCallRunner neverShed = storeCalls.neverShed();
    boolean open = options.openExplain();
    // Needed most under overload; its work is bounded.
    new DashboardCalls(page, live, audit, neverShed, work.bounded(), gate).addTo(router);
    KeyBlocks blocks = new KeyBlocks(shared.service(), shared.overrides(), shared.denied());
    new KeyCalls(shared.service(), blocks, () -> policies(shared), audit, neverShed, gate)
        .addTo(router);
    new TryCall(
            shared.service(),
            options.fields(),
            open ? storeCalls : neverShed,
            open ? work.bounded() : work,
            gate,
            open)
        .addTo(router);
    new CandidateCalls(
            shared.rules(),
            new WhatIf(recent),
            audit,
            neverShed,
            work,
            gate,
            open,
            HttpVerticle.RULES_FACTOR * options.maxBodyBytes())
        .addTo(router);
  }

  /** Those that were asked lately, also of Envoy's domains, and then all others. */
  private List<Policy> policies(ServerContext shared) {
    return Stream.concat(traffic.policies().stream(), shared.rules().current().policies().stream())
        .distinct()
        .toList();
  }
}
