/**
 * The service as a whole: its settings, and how its parts are put together, started and stopped.
 *
 * <p>Exported: {@link dev.weir.server.WeirServer}, its {@link dev.weir.server.ServerOptions}, and
 * {@link dev.weir.server.EnvoyOptions}. Start reading at {@code WeirServer.start}; {@code
 * HttpVerticle} lists the calls.
 */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
