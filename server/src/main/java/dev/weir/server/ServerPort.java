package dev.weir.server;

import dev.weir.server.connection.ConnectionRegistry;

/**
 * One port, and what is served there.
 *
 * @param decisions whether decisions are served: checks, and requests of proxies
 * @param administration whether administration and metrics are served; probes are served on every
 *     port
 */
record ServerPort(
    String host,
    int number,
    boolean decisions,
    boolean administration,
    ConnectionRegistry connections) {}
