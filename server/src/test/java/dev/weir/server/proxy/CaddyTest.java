package dev.weir.server.proxy;

import java.nio.file.Path;

/** Fails closed. */
final class CaddyTest extends ProxyContract {
  @Override
  String site() {
    return ProxyGuide.caddy("Caddy");
  }

  @Override
  ProxyProcess start(String site, Path folder) {
    return ProxyProcess.caddy(site, folder);
  }

  @Override
  int statusWhileAway() {
    return 502;
  }

  @Override
  int statusWhileSilent() {
    return 504;
  }

  @Override
  int statusIfTooLong() {
    return 431;
  }

  @Override
  boolean showsFieldsOfAllowed() {
    return false;
  }
}
