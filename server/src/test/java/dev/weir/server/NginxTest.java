package dev.weir.server;

import java.nio.file.Path;

/** Fails closed. */
final class NginxTest extends ProxyContract {
  @Override
  String site() {
    return ProxyGuide.nginx();
  }

  @Override
  ProxyProcess start(String site, Path folder) {
    return ProxyProcess.nginx(site, folder);
  }

  @Override
  int statusWhileAway() {
    return 503;
  }

  @Override
  int statusWhileSilent() {
    return 503;
  }

  @Override
  boolean showsFieldsOfAllowed() {
    return true;
  }
}
