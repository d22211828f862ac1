package dev.weir.server;

import dev.weir.server.connection.ConnectionRegistry;

/**
 * One port, and who is served there.
 *
 * @param decisions whether clients are: checks, and questions of proxies
 * @param administration whether administrators and scrapers are; probes are served everywhere
 */
record Listener(
    String host,
    int port,
    boolean decisions,
    boolean administration,
    ConnectionRegistry connections) {}
