package dev.weir.server.http.probe;

import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import io.vertx.core.Context;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;

/** The metrics, for Prometheus. */
public final class MetricsCall {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final Context context;
  private final SharedScrape scrapes;
  private final WorkerExecutor thread;
  private final boolean apart;

  /**
   * @param apart whether it is served on a port that clients do not reach: then an answer is not
   *     given up when memory is short
   */
  public MetricsCall(Context context, SharedScrape scrapes, boolean apart) {
    this.context = context;
    this.scrapes = scrapes;
    this.apart = apart;
    this.thread = context.owner().createSharedWorkerExecutor("weir-metrics", 1);
  }

  public void addTo(Router router) {
    router.on(HttpMethod.GET, "/metrics", this::metrics);
  }

  /** Not on the event loop: with many limits it takes longer than a decision may wait. */
  private void metrics(Exchange exchange) {
    if (apart) {
      exchange.ofAdministrator();
    }
    scrapes
        .get(thread)
        .onSuccess(text -> context.runOnContext(on -> exchange.answer(200, PROMETHEUS, text)))
        .onFailure(failed -> context.runOnContext(on -> Router.failed(exchange, failed)));
  }
}
