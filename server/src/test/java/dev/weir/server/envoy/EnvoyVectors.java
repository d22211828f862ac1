package dev.weir.server.envoy;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.RateUnit;
import dev.weir.rules.RuleSet;
import dev.weir.server.service.AdminOverrides;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.RedisServers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The conformance cases of Envoy's reference service, as data: see resources/envoy. */
public final class EnvoyVectors {
  private static final Instant START = Instant.ofEpochSecond(1_800_000_000L);

  /**
   * Steps whose answer follows from a mixture: own hits are always taken, and what is refused takes
   * nothing from the others.
   */
  private static final Map<String, String> MIXED =
      Map.of("C37/1", "OVER_LIMIT | OK 5/MINUTE 5 r60 ; OVER_LIMIT 3/MINUTE 0 r60");

  private EnvoyVectors() {}

  /** Whose accounting is expected. */
  public enum Accounting {
    OURS,
    REFERENCE
  }

  /** Where the state of a case lives. */
  public enum Backend {
    MEMORY,
    REDIS;

    /** A store without state. */
    public LimitStore open(RedisServers servers, ManualTime time) {
      return switch (this) {
        case MEMORY -> MemoryStore.builder().time(time).build();
        case REDIS ->
            RedisStore.builder(servers.redis().uri())
                .timeout(Duration.ofSeconds(5))
                .clientTime(time)
                .build();
      };
    }
  }

  /** One case: requests in their order, with what is to be answered. */
  public record Case(String id, String config, AccountingModes modes, List<Step> steps) {
    @Override
    public String toString() {
      return id + " " + modes;
    }
  }

  /** One request, sent so often, and an answer for each time. */
  public record Step(
      String id, Duration at, RateLimitCall call, int times, List<String> expected) {}

  public static Stream<Case> cases(Accounting accounting) {
    return text("cases.jsonl").lines().map(line -> read(new JsonObject(line), accounting));
  }

  /** Every backend with every case. */
  public static Stream<Arguments> casesOnBothStores() {
    return Stream.of(Backend.values())
        .flatMap(
            backend ->
                Stream.of(Accounting.values())
                    .flatMap(EnvoyVectors::cases)
                    .map(one -> Arguments.of(backend, one)));
  }

  public static RuleSet rules(Case one) {
    JsonArray files = new JsonObject(text("configs.json")).getJsonArray(one.config);
    return RuleSet.parse(one.config, new JsonObject().put("domains", files).encode());
  }

  public static DescriptorService service(Case one, LimitStore store, ManualTime time) {
    RuleSet rules = rules(one);
    return new DescriptorService(
        () -> rules,
        RateLimiter.forClaims(store).async(),
        new AdminOverrides(System::currentTimeMillis),
        one.modes,
        time,
        null);
  }

  /** Sends every request of a case and compares the answers. */
  public static void run(Case one, ManualTime time, Function<RateLimitCall, String> answer) {
    for (Step step : one.steps) {
      time.set(START.plus(step.at));
      for (int i = 0; i < step.times; i++) {
        String expected = step.expected.get(Math.min(i, step.expected.size() - 1));
        String found = answer.apply(step.call);
        if (!found.equals(expected)) {
          throw new AssertionError(
              step.id + " #" + i + "\nexpected " + expected + "\n     was " + found);
        }
      }
    }
  }

  public static ManualTime clock() {
    ManualTime time = new ManualTime();
    time.set(START);
    return time;
  }

  private static Case read(JsonObject json, Accounting accounting) {
    String id = json.getString("id");
    JsonObject options = json.getJsonObject("opt", new JsonObject());
    AccountingModes modes =
        new AccountingModes(
            options.getBoolean("gs", false),
            options.getBoolean("gq", false),
            accounting == Accounting.REFERENCE);
    List<Step> steps = new ArrayList<>();
    for (Object step : json.getJsonArray("steps")) {
      steps.add(step(id + "/" + steps.size(), (JsonObject) step, accounting));
    }
    return new Case(id, json.getString("cfg"), modes, steps);
  }

  private static Step step(String id, JsonObject json, Accounting accounting) {
    RateLimitCall call = call(json);
    boolean strict = accounting == Accounting.OURS && json.containsKey("strict");
    Object expected = json.getValue(strict && isStrict(call) ? "strict" : "ref");
    if (accounting == Accounting.OURS && MIXED.containsKey(id)) {
      expected = MIXED.get(id);
    }
    List<String> texts =
        expected instanceof JsonArray several
            ? several.stream().map(String.class::cast).toList()
            : List.of((String) expected);
    return new Step(
        id,
        Duration.ofSeconds(json.getInteger("t")),
        call,
        json.getInteger("times", texts.size()),
        texts);
  }

  /** Own hits are taken as the reference does; equal descriptors show successive remainings. */
  private static boolean isStrict(RateLimitCall call) {
    boolean takesAlways =
        call.descriptors().stream().anyMatch(each -> each.hits() != null && each.hits() > 0);
    long different = call.descriptors().stream().distinct().count();
    return !takesAlways && different == call.descriptors().size();
  }

  private static RateLimitCall call(JsonObject json) {
    List<RateLimitCall.Descriptor> descriptors = new ArrayList<>();
    for (Object each : json.getJsonArray("d")) {
      JsonObject descriptor = (JsonObject) each;
      List<DescriptorEntry> entries = new ArrayList<>();
      for (Object entry : descriptor.getJsonArray("e")) {
        JsonArray pair = (JsonArray) entry;
        entries.add(new DescriptorEntry(pair.getString(0), pair.getString(1)));
      }
      JsonArray limit = descriptor.getJsonArray("lim");
      descriptors.add(
          new RateLimitCall.Descriptor(
              entries,
              descriptor.containsKey("h") ? descriptor.getLong("h") : null,
              descriptor.getBoolean("neg", false),
              limit == null
                  ? null
                  : new RateLimitCall.Override(
                      limit.getLong(0), RateUnit.valueOf(limit.getString(1)))));
    }
    return new RateLimitCall(json.getString("domain"), json.getLong("hits"), descriptors);
  }

  private static String text(String name) {
    try (InputStream in = EnvoyVectors.class.getResourceAsStream("/envoy/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
