package dev.weir.server.dashboard;

import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.LimitText;
import dev.weir.rules.RuleStatus;
import dev.weir.server.dashboard.LimitTraffic.LimitMinute;
import dev.weir.server.service.BlockedKeys;
import dev.weir.server.service.FleetMembership;
import dev.weir.server.service.Health;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDeniedKeys;
import dev.weir.spi.LimitStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What the dashboard shows now, as JSON; written once a second at most, however many pages ask.
 * Safe for many threads; slow, so not to be called on an event loop.
 */
public final class LiveView {
  private static final int RATE_SECONDS = 5;
  private static final int MAX_LIMITS = 100;
  private static final int MAX_KEYS = 20;

  private final String instance = InstanceName.current();
  private final KeyMask mask = new KeyMask();
  private final TrafficRecorder traffic;
  private final StoreLatency latency;
  private final TopDeniedKeys denied;
  private final Health health;
  private final SharedAdminOverrides overrides;
  private final LimitStore store;
  private final FleetMembership fleet;
  private Written forAll = Written.NONE;
  private Written forAdministrators = Written.NONE;

  public LiveView(
      TrafficRecorder traffic,
      StoreLatency latency,
      TopDeniedKeys denied,
      Health health,
      SharedAdminOverrides overrides,
      LimitStore store,
      FleetMembership fleet) {
    this.traffic = traffic;
    this.latency = latency;
    this.denied = denied;
    this.health = health;
    this.overrides = overrides;
    this.store = store;
    this.fleet = fleet;
  }

  private record Written(long second, JsonObject json) {
    static final Written NONE = new Written(Long.MIN_VALUE, new JsonObject());
  }

  /**
   * @param afterSecond of the history, what came after this one
   * @param administrator whether keys are shown as they are
   */
  public JsonObject json(long afterSecond, boolean administrator) {
    TrafficHistory.Slots slots = traffic.history().secondsAfter(afterSecond);
    long last = slots.first() + slots.counts()[0].length - 1;
    return current(last, administrator).copy().put("seconds", json(slots));
  }

  /**
   * Pages that ask at the same time wait for the first of them, instead of all writing the same.
   */
  private synchronized JsonObject current(long second, boolean administrator) {
    Written written = administrator ? forAdministrators : forAll;
    if (written.second != second) {
      written = new Written(second, write(administrator));
      if (administrator) {
        forAdministrators = written;
      } else {
        forAll = written;
      }
    }
    return written.json;
  }

  public JsonObject minutes() {
    return json(traffic.history().minutes());
  }

  private static JsonObject json(TrafficHistory.Slots slots) {
    JsonObject json = new JsonObject().put("first", slots.first());
    for (TrafficKind kind : TrafficKind.values()) {
      JsonArray counts = new JsonArray();
      for (long count : slots.counts()[kind.ordinal()]) {
        counts.add(count);
      }
      json.put(KebabCase.of(kind), counts);
    }
    return json;
  }

  private JsonObject write(boolean administrator) {
    return new JsonObject()
        .put("administrator", administrator)
        .put("instance", instance)
        .put("instances", store.instances().isPresent() ? store.instances().getAsInt() : null)
        .put("others", new JsonArray(fleet.others()))
        .put("status", health.state().name().toLowerCase(Locale.ROOT))
        .put("reasons", new JsonArray(health.reasons()))
        .put("killSwitch", health.killed())
        .put("blocks", overrides.here().blocks().count())
        .put("shared", overrides.isShared())
        .put("store", store())
        .put("rules", rules(health.rules()))
        .put("rates", rates())
        .put("limits", limits())
        .put("limitsLeftOut", Math.max(0, traffic.limitCount() - MAX_LIMITS))
        .put("topDenied", topDenied(administrator))
        .put("topBusy", topBusy(administrator));
  }

  private JsonObject store() {
    return new JsonObject()
        .put("name", health.storeName())
        .put("medianMicros", orNull(latency.micros(0.5)))
        .put("p99Micros", orNull(latency.micros(0.99)))
        .put("silentNodes", new JsonArray(health.store().silentNodes()))
        .put("fallback", health.store().fallback());
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  private static JsonObject rules(RuleStatus status) {
    RuleStatus.InEffect rules = status.inEffect();
    return new JsonObject()
        .put("version", rules.version())
        .put("count", rules.rules())
        .put("source", rules.source())
        .put("hash", rules.hash())
        .put(
            "refusedAtMillis",
            status.refusal().map(refused -> refused.at().toEpochMilli()).orElse(null));
  }

  private JsonObject rates() {
    double[] rates = traffic.history().rates(RATE_SECONDS);
    JsonObject json = new JsonObject();
    for (TrafficKind kind : TrafficKind.values()) {
      json.put(KebabCase.of(kind), rounded(rates[kind.ordinal()]));
    }
    return json;
  }

  private JsonArray limits() {
    JsonArray limits = new JsonArray();
    traffic.limits(MAX_LIMITS).forEach(view -> limits.add(json(view)));
    return limits;
  }

  private static JsonObject json(LimitMinute view) {
    return new JsonObject()
        .put("rule", view.policy().rule())
        .put("limit", view.policy().name())
        .put("rate", LimitText.of(view.policy().limit()))
        .put("mode", KebabCase.of(view.policy().mode()))
        .put("perSecond", rounded(view.perSecond()))
        .put("deniedPerSecond", rounded(view.deniedPerSecond()))
        .put("requests", view.requests())
        .put("denials", view.denials())
        .put("nearShare", rounded(view.nearShare()))
        .put("fullest", rounded(view.fullest()));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private JsonArray topDenied(boolean administrator) {
    List<JsonObject> keys =
        denied.top(MAX_KEYS).stream()
            .map(
                each ->
                    json(each.key(), each.denials(), each.atMostTooHigh(), administrator)
                        .put("penaltyMillis", each.penaltyMillis()))
            .toList();
    return new JsonArray(keys);
  }

  private JsonArray topBusy(boolean administrator) {
    List<JsonObject> keys =
        traffic.busy().top(MAX_KEYS).stream()
            .map(each -> json(each.key(), each.count(), each.atMostTooHigh(), administrator))
            .toList();
    return new JsonArray(keys);
  }

  private JsonObject json(BlockedKeys.Key key, long count, long tooHigh, boolean administrator) {
    return new JsonObject()
        .put("rule", key.rule())
        .put("limit", key.limit())
        .put("key", administrator || key.key().isEmpty() ? key.key() : mask.mask(key.key()))
        .put("count", count)
        .put("atMostTooHigh", tooHigh);
  }
}
