package dev.weir.server.http.dashboard;

import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import io.vertx.core.http.HttpMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page and its files. Read once, and shared by all event loops. */
public final class DashboardPage {
  private static final String CHARTS =
      "META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";
  private static final List<String> SCRIPTS =
      List.of(
          "main.js",
          "api.js",
          "dom.js",
          "format.js",
          "live.js",
          "charts.js",
          "keys.js",
          "try.js",
          "rules.js",
          "admin.js");

  private final PageFile page = PageFile.own(HTML, "index.html");
  private final Map<String, PageFile> files = new LinkedHashMap<>();

  public DashboardPage() {
    SCRIPTS.forEach(name -> files.put(name, PageFile.own(SCRIPT, name)));
    files.put("style.css", PageFile.own(STYLE, "style.css"));
    files.put("chart.js", PageFile.ofLibrary(SCRIPT, CHARTS));
  }

  void addFilesTo(Router router) {
    files.forEach((name, file) -> router.on(HttpMethod.GET, "/dashboard/" + name, file::answer));
  }

  /** Answers with the page if the client is a browser; returns whether it has answered. */
  public boolean answered(Exchange exchange) {
    String accepted = exchange.request().getHeader("Accept");
    if (accepted == null || !accepted.contains("text/html")) {
      return false;
    }
    page.answer(exchange);
    return true;
  }
}
