package dev.weir.server;

import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleFeed;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RuleWatch;
import dev.weir.server.grpc.FollowedCertificate;
import dev.weir.server.grpc.XdsRules;
import dev.weir.server.service.FleetText;
import dev.weir.server.service.RulePublisher;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where the rules come from, at the start and while the service runs.
 *
 * <p>Rules that instances share win over files as soon as there are any; the files are the first
 * version, and what remains when the shared rules are withdrawn. Without shared rules, the latest
 * change is in effect: of a file, or by an administrator over HTTP.
 */
final class RuleSource implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RuleSource.class.getName());
  private static final Duration FEED_INTERVAL = Duration.ofSeconds(1);
  private static final String SAMPLE = "sample.yaml";
  private static final int MAX_HINTS = 20;

  private final LiveRules rules;
  private final RuleSet sample;
  private final @Nullable RuleWatch watch;
  private @Nullable RuleFeed feed;
  private @Nullable XdsRules controlPlane;

  private RuleSource(LiveRules rules, RuleSet sample, @Nullable RuleWatch watch) {
    this.rules = rules;
    this.sample = sample;
    this.watch = watch;
  }

  /**
   * @throws dev.weir.rules.InvalidRulesException if the files have a fault to begin with
   */
  static RuleSource open(ServerOptions options) {
    if (options.envoy().xds().isPresent()) {
      return ofControlPlane(options, options.envoy().xds().get());
    }
    RuleSet sample = RuleSet.parse(SAMPLE, resource());
    if (options.config().isEmpty()) {
      return new RuleSource(new LiveRules(sample), sample, null);
    }
    RuleWatch watch = RuleWatch.start(options.config().toArray(Path[]::new));
    watch.rules().get().hints().stream()
        .limit(MAX_HINTS)
        .forEach(hint -> LOG.log(System.Logger.Level.WARNING, hint.toString()));
    return new RuleSource(watch.rules(), sample, watch);
  }

  /** Rules that do not change. */
  static RuleSource of(RuleSet rules) {
    return new RuleSource(new LiveRules(rules), rules, null);
  }

  private static RuleSource ofControlPlane(ServerOptions options, EnvoyOptions.Xds xds) {
    if (!options.config().isEmpty()) {
      throw new IllegalArgumentException(
          "rules must come from files or from a control plane, was given both");
    }
    RuleSource source = new RuleSource(new LiveRules(RuleSet.empty()), RuleSet.empty(), null);
    source.controlPlane =
        XdsRules.start(
            source.rules,
            xds.target(),
            xds.nodeId(),
            xds.tls()
                .map(
                    tls -> new FollowedCertificate(tls.certificate(), tls.key(), tls.authorities()))
                .orElse(null),
            XdsRules.Backoff.usual());
    return source;
  }

  LiveRules rules() {
    return rules;
  }

  /** Completes when there are rules: at once, unless they come from a control plane. */
  CompletableFuture<Void> first() {
    return controlPlane == null ? CompletableFuture.completedFuture(null) : controlPlane.first();
  }

  /** Whether there are no files, so that the sample rules are served. */
  boolean isSample() {
    return watch == null && controlPlane == null;
  }

  /** The rules without those that were shared or sent over HTTP. */
  RuleSet initial() {
    return watch == null ? sample : watch.fromFiles();
  }

  /** Where the rules in effect come from: {@code sample, files, http, shared} or {@code xds}. */
  String name() {
    if (rules.isOverridden()) {
      return "shared";
    }
    if (controlPlane != null) {
      return "xds";
    }
    if (rules.get() != initial()) {
      return "http";
    }
    return isSample() ? "sample" : "files";
  }

  /** From now on, follows the rules that all instances share; reads them before it returns. */
  RulePublisher share(FleetText text) {
    RuleFeed started =
        RuleFeed.start(
            rules, FEED_INTERVAL, "redis", text::read, lost -> RulePublisher.restore(text, lost));
    feed = started;
    return RulePublisher.shared(rules, text, started::refresh);
  }

  /** Changes the rules of this instance only. */
  RulePublisher keep() {
    return RulePublisher.ofOneInstance(rules, this::initial);
  }

  List<String> warnings() {
    if (controlPlane != null && controlPlane.isAway()) {
      return List.of("the control plane cannot be reached; its last rules are in use");
    }
    return Optional.ofNullable(feed).filter(shared -> !shared.isReadable()).stream()
        .map(unreadable -> "the shared rules cannot be read; rules from " + name() + " are in use")
        .toList();
  }

  @Override
  public void close() {
    if (feed != null) {
      feed.close();
    }
    if (watch != null) {
      watch.close();
    }
    if (controlPlane != null) {
      controlPlane.close();
    }
  }

  private static String resource() {
    try (InputStream in = RuleSource.class.getResourceAsStream(SAMPLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
