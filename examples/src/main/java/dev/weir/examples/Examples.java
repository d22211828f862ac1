package dev.weir.examples;

import dev.weir.MemoryStore;
import dev.weir.spi.LimitStore;
import io.grpc.Server;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs one example by name, until it is stopped. State is kept in memory. */
public final class Examples {
  private static final int PORT = 8090;

  private Examples() {}

  private interface Example {
    void run(LimitStore store) throws IOException, InterruptedException;
  }

  private static final Map<String, Example> BY_NAME =
      new TreeMap<>(
          Map.of(
              "login",
              store -> new TomcatExample(PORT, LoginThrottling.filter(store)),
              "plans",
              store -> new TomcatExample(PORT, PlanTiers.filter(PlanTiers.rules(), store)),
              "address",
              store -> new TomcatExample(PORT, AddressDefence.filter(store)),
              "fair-use",
              Examples::fairUse,
              "gateway",
              Examples::gateway,
              "models",
              Examples::models,
              "grpc",
              Examples::grpc));

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Example example = arguments.length == 1 ? BY_NAME.get(arguments[0]) : null;
    if (example == null) {
      System.err.println("give one of " + String.join(", ", BY_NAME.keySet()));
      System.exit(2);
      return;
    }
    example.run(MemoryStore.builder().build());
  }

  private static void fairUse(LimitStore store) {
    FairUse fairUse =
        new FairUse(store, prompt -> new FairUse.Completion("…", 100L * prompt.length()));
    for (String prompt : new String[] {"short", "a longer prompt", "a much, much longer prompt"}) {
      boolean allowed = fairUse.complete("acme", prompt, 4000).isPresent();
      System.out.printf("%s: %s, %d left%n", prompt, allowed, fairUse.remaining("acme"));
    }
  }

  private static void models(LimitStore store) {
    ModelGateway gateway = new ModelGateway(store, Duration.ofSeconds(30));
    String limits = "left of requests, tokens, cents and slots: ";
    List<String> answer = List.of("a", "streamed", "answer", "that", "goes", "on");
    try (ModelGateway.AnswerStream stream =
        gateway.ask("acme", 40, 2000, answer.iterator()).orElseThrow()) {
      System.out.println("reserved; " + limits + gateway.remaining("acme"));
      System.out.println(stream.next().orElseThrow() + " " + stream.next().orElseThrow());
    }
    System.out.println("cancelled after two tokens; " + limits + gateway.remaining("acme"));
    boolean tooLarge = gateway.ask("acme", 40, 200_000, answer.iterator()).isEmpty();
    System.out.println(
        "200,000 tokens denied: " + tooLarge + "; " + limits + gateway.remaining("acme"));
  }

  private static void gateway(LimitStore store) throws IOException {
    TomcatExample backend =
        new TomcatExample(0, (request, response, chain) -> chain.doFilter(request, response));
    new GatewayProtection(PORT, URI.create("http://127.0.0.1:" + backend.port()), store);
    System.out.println("try: curl -i localhost:" + PORT + "/search");
  }

  private static void grpc(LimitStore store) throws IOException, InterruptedException {
    Server server = GrpcProtection.server(PORT, store).start();
    System.out.println("serving grpc.health.v1.Health on port " + server.getPort());
    server.awaitTermination();
  }
}
