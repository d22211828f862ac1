package dev.weir.server.http.probe;

/** The text at {@code /}, for programs and terminals; browsers get the dashboard. */
final class CallOverview {
  static final String TEXT =
      """
      Weir answers here.

      POST /v1/check      may this request go on? {"attributes": {"user": "ann"}, "permits": 1}
      POST /v1/peek       the same, and takes nothing
      POST /v1/charge     takes always, for a cost known only afterwards
      POST /v1/settle     corrects what a check took to what it cost, once
      POST /v1/release    gives back the slot of a request in flight
      POST /v1/renew      keeps that slot for another hold
      POST /v1/outcome    how the application responded: its status, with the receipt of the check
      GET  /v1/authorize  for nginx auth_request, Caddy forward_auth, Traefik forwardAuth
      POST /json          Envoy's rate-limit protocol as JSON; gRPC has a port of its own
      GET  /openapi.json  all calls, as OpenAPI 3.1
      GET  /metrics       for Prometheus
      GET  /healthz       how it is; /readyz and /healthcheck for balancers

      For administrators, with a bearer token:
      POST /v1/explain    which rules apply, why, and in what state
      GET  /v1/rules      the rules in effect; PUT replaces them, DELETE returns to the files
      GET  /rlconfig      the limits of Envoy's domains
      GET  /v1/rules/refused  why the latest were refused
      POST /v1/refund  /v1/reset  /v1/block  /v1/unblock
      PUT and DELETE /v1/kill-switch  GET /v1/switches  GET /v1/denied  GET /v1/leases
      """;

  private CallOverview() {}
}
