package dev.weir.server.hostile;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Those who use the service while it is attacked: probes and a well-behaved client, and the same
 * two at a {@link ControlServer}.
 */
final class Bystanders implements AutoCloseable {
  private static final Duration WARM = Duration.ofSeconds(60);

  private final ControlServer machine;
  final HealthWatch control;
  final HealthWatch health;
  final HealthWatch adminHealth;
  final GoodClient good;
  private final GoodClient controlGood;

  /**
   * @param scheme also tells the users of the client from those of other tests
   */
  Bystanders(HttpClient client, TargetProcess target, String scheme) throws IOException {
    String url = scheme + "://localhost:" + target.port;
    machine = ControlServer.start();
    control = new HealthWatch(client, machine.url);
    health = new HealthWatch(client, url);
    adminHealth = new HealthWatch(client, scheme + "://localhost:" + target.adminPort);
    good = new GoodClient(client, url, scheme);
    controlGood = new GoodClient(client, machine.url, scheme);
  }

  /** Waits until all processes are warm, and forgets what was measured before. */
  void warmUp() {
    await().atMost(WARM).until(() -> good.exact() >= 40 && controlGood.exact() >= 40);
    control.restart();
    health.restart();
    adminHealth.restart();
  }

  AttackPhase during(String name, Runnable attack) {
    int exact = good.exact();
    int unanswered = good.unanswered().size();
    int controlExact = controlGood.exact();
    long start = System.nanoTime();
    attack.run();
    List<String> reasons = good.unanswered();
    reasons = reasons.subList(unanswered, reasons.size());
    int shed = Collections.frequency(reasons, GoodClient.SHED);
    return new AttackPhase(
        name,
        good.exact() - exact,
        shed,
        reasons.size() - shed,
        controlGood.exact() - controlExact,
        adminHealth.longestSince(start),
        control.longestSince(start));
  }

  @Override
  public void close() {
    controlGood.close();
    good.close();
    adminHealth.close();
    health.close();
    control.close();
    machine.close();
  }
}
