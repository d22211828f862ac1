package dev.weir.cli.serve;

import dev.weir.cli.console.AnsiStyle;
import dev.weir.server.WeirServer;
import java.io.PrintWriter;

/** The text printed after the start: what runs, and what to try. */
final class StartScreen {
  private final WeirServer server;
  private final ServeOptions options;
  private final AnsiStyle style;

  StartScreen(WeirServer server, ServeOptions options, AnsiStyle style) {
    this.server = server;
    this.options = options;
    this.style = style;
  }

  void print(PrintWriter out) {
    String url = url(server.port());
    out.println(style.strong("Weir serves on " + url));
    out.println("  store    " + server.store());
    out.println("  rules    " + rules());
    out.println("  page     " + url(server.adminPort()) + "/");
    out.println("  metrics  " + url(server.adminPort()) + "/metrics");
    out.println("  health   " + url + "/healthz");
    out.println("  admin    " + admin());
    server.grpcPort().ifPresent(port -> out.println("  Envoy    gRPC on port " + port));
    if (server.servesSample()) {
      printTries(out, url);
    }
    out.println();
    out.println(style.faint("Ctrl-C stops it."));
    out.flush();
  }

  private String url(int port) {
    return (options.tls() ? "https" : "http") + "://localhost:" + port;
  }

  private String rules() {
    String names = String.join(", ", server.ruleNames());
    String shown = names.length() > 60 ? server.ruleNames().size() + " rules" : names;
    return server.servesSample()
        ? "sample: " + shown + "; your own with --config weir.yaml"
        : shown;
  }

  private String admin() {
    if (options.admin()) {
      return "with the token";
    }
    return server.servesSample()
        ? "from this machine, because this is a demonstration"
        : "nobody: no token is configured";
  }

  /** Commands to try; the second sends four requests, one per number in curl's brackets. */
  private void printTries(PrintWriter out, String url) {
    out.println();
    out.println(style.strong("Try"));
    out.println("  allowed");
    out.println(
        "    "
            + curl(
                url + "/v1/check",
                "'{\"attributes\": {\"path\": \"/api/items\", \"user\": \"ann\"}}'"));
    out.println("  denied, the fourth of four logins in a minute");
    out.println("    " + curl("'" + url + "/v1/check?[1-4]'", login()));
    out.println("  explained");
    out.println("    " + curl(url + "/v1/explain", login()));
  }

  private static String login() {
    return "'{\"attributes\": {\"path\": \"/login\", \"method\": \"POST\","
        + " \"email\": \"ann@example.org\"}}'";
  }

  private static String curl(String url, String body) {
    return "curl -i " + url + " -d " + body;
  }
}
