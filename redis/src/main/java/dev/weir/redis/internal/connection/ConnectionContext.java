package dev.weir.redis.internal.connection;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * What all connections of a store share.
 *
 * @param executor completes calls that have timed out, and so runs users' continuations
 * @param scripts texts of the scripts to load on every server
 * @param changed run when a connection was made or lost
 */
record ConnectionContext(
    ConnectionSettings settings,
    RetryTimer timer,
    Executor executor,
    List<String> scripts,
    Runnable changed) {}
