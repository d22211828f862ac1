package dev.weir.server;

import dev.weir.LeaseStatus;
import dev.weir.server.http.RequestMemory;
import dev.weir.server.http.WaitingRequests;
import dev.weir.server.http.probe.SharedScrape;
import dev.weir.server.service.Health;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.RulePublisher;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDeniedKeys;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.Supplier;

/**
 * The parts that HTTP calls use, shared by all event loops.
 *
 * @param demo whether administrators on this machine need no token
 */
record ServerContext(
    LimitService service,
    RulePublisher rules,
    SharedAdminOverrides overrides,
    TopDeniedKeys denied,
    Health health,
    PrometheusMeterRegistry registry,
    WaitingRequests waiting,
    RequestMemory memory,
    SharedScrape scrapes,
    EnvoyService envoy,
    Dashboard dashboard,
    Supplier<LeaseStatus> leases,
    boolean demo) {}
