package dev.weir.server.proxy;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Caddy, in every configuration of docs/proxies.md. */
@Tag("slow")
@ParameterizedClass
@EnumSource
final class CaddyTest extends ProxyContract {
  private final Configuration configuration;

  CaddyTest(Configuration configuration) {
    this.configuration = configuration;
  }

  enum Configuration {
    FAILING_CLOSED("Caddy", 502, 504, false),
    FAILING_CLOSED_WITH_FIELDS("Caddy, with fields on allowed answers", 502, 504, true),
    FAILING_OPEN("Caddy, failing open", 200, 200, false);

    private final String section;
    private final int statusWhileAway;
    private final int statusWhileSilent;
    private final boolean showsFieldsOfAllowed;

    Configuration(
        String section, int statusWhileAway, int statusWhileSilent, boolean showsFieldsOfAllowed) {
      this.section = section;
      this.statusWhileAway = statusWhileAway;
      this.statusWhileSilent = statusWhileSilent;
      this.showsFieldsOfAllowed = showsFieldsOfAllowed;
    }
  }

  @Override
  String site() {
    String site = ProxyGuide.caddy(configuration.section);
    return configuration == Configuration.FAILING_OPEN
        ? ProxyProcess.replace(site, "127.0.0.1:8079", "127.0.0.1:" + ProxyProcess.freePort())
        : site;
  }

  @Override
  ProxyProcess start(String site, Path folder) {
    return ProxyProcess.caddy(site, folder);
  }

  @Override
  int statusWhileAway() {
    return configuration.statusWhileAway;
  }

  @Override
  int statusWhileSilent() {
    return configuration.statusWhileSilent;
  }

  @Override
  int statusIfTooLong() {
    return 431;
  }

  @Override
  boolean showsFieldsOfAllowed() {
    return configuration.showsFieldsOfAllowed;
  }
}
