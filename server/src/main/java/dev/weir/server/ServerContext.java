package dev.weir.server;

import dev.weir.server.http.InFlight;
import dev.weir.server.service.Health;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.RulePublisher;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDeniedKeys;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the calls are made of, shared by all event loops.
 *
 * @param demo whether administrators on this machine need no token
 * @param connections how many are open
 */
record ServerContext(
    LimitService service,
    RulePublisher rules,
    SharedAdminOverrides switches,
    TopDeniedKeys denied,
    Health health,
    PrometheusMeterRegistry registry,
    InFlight inFlight,
    AtomicInteger connections,
    boolean demo) {}
