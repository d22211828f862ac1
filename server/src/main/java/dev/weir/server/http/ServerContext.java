package dev.weir.server.http;

import dev.weir.server.service.Health;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.RuleBook;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDenied;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the calls are made of, shared by all event loops.
 *
 * @param demo whether administrators on this machine need no token
 * @param connections how many are open
 */
public record ServerContext(
    LimitService service,
    RuleBook rules,
    SharedAdminOverrides switches,
    TopDenied denied,
    Health health,
    PrometheusMeterRegistry registry,
    InFlight inFlight,
    AtomicInteger connections,
    boolean demo) {}
