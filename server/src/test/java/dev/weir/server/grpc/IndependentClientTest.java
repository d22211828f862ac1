package dev.weir.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.EnvoyOptions;
import dev.weir.server.RunningService;
import dev.weir.testkit.ExternalPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that shares no code and no message definitions with us: the npm packages
 * {@code @grpc/grpc-js} and {@code @grpc/proto-loader} under Node. {@code NODE_PATH} names the
 * directory they are installed in.
 */
@Tag("external")
final class IndependentClientTest {
  private static final String RULES =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {requests_per_unit: 2, unit: day, name: per-user}}
        - {key: week, rate_limit: {requests_per_unit: 9, unit: week}}
      """;

  /** Written from the documentation of the protocol, in one package because names do not travel. */
  private static final String MESSAGES =
      """
      syntax = "proto3";
      package envoy.service.ratelimit.v3;
      message Entry { string key = 1; string value = 2; }
      message Hits { uint64 value = 1; }
      message Descriptor { repeated Entry entries = 1; Hits hits_addend = 3; }
      message Request { string domain = 1; repeated Descriptor descriptors = 2; uint32 hits = 3; }
      message Limit { uint32 requests_per_unit = 1; uint32 unit = 2; string name = 3; }
      message Wait { int64 seconds = 1; int32 nanos = 2; }
      message Status { uint32 code = 1; Limit limit = 2; uint32 remaining = 3; Wait reset = 4; }
      message Header { string key = 1; string value = 2; }
      message Response {
        uint32 code = 1; repeated Status statuses = 2; repeated Header headers = 3; bytes body = 5;
      }
      service RateLimitService { rpc ShouldRateLimit(Request) returns (Response); }
      """;

  private static final String CLIENT =
      """
      const grpc = require('@grpc/grpc-js');
      const [, proto, address] = process.argv;
      const options = {keepCase: true, longs: Number, defaults: true};
      const loaded = require('@grpc/proto-loader').loadSync(proto, options);
      const Service = grpc.loadPackageDefinition(loaded).envoy.service.ratelimit.v3.RateLimitService;
      const client = new Service(address, grpc.credentials.createInsecure());
      const ask = request => new Promise((answer, fail) =>
          client.shouldRateLimit(request, (e, r) => e ? fail(e) : answer(r)));
      const show = r => r.code + ' | ' + r.statuses.map(s => s.limit
          ? [s.code, s.limit.requests_per_unit, s.limit.unit, s.limit.name, s.remaining,
             s.reset.seconds > 0].join(' ') : s.code + ' -').join(' ; ')
          + (r.headers.some(h => h.key === 'Retry-After') ? ' retry' : '')
          + (r.body.length ? ' ' + JSON.parse(r.body.toString()).status : '');
      const one = key => ({entries: [{key, value: 'v'}]});
      (async () => {
        const request = {domain: 'shop', descriptors: [one('user'), one('week'), one('other')]};
        for (let i = 0; i < 3; i++) console.log(show(await ask(request)));
        const report = {...one('week'), hits_addend: {value: 20}};
        console.log(show(await ask({domain: 'shop', descriptors: [report]})));
        await ask({domain: '', descriptors: []}).catch(e => console.log(e.code + ' ' + e.details));
        client.close();
      })();
      """;

  @TempDir Path folder;

  @BeforeEach
  void clientIsInstalled() throws Exception {
    boolean found;
    try {
      found = run("require('@grpc/grpc-js'); require('@grpc/proto-loader')", List.of()).isEmpty();
    } catch (IOException noNode) {
      found = false;
    }
    Optional<Path> client = found ? Optional.of(folder) : Optional.empty();
    ExternalPrograms.require(
        client, "the npm packages @grpc/grpc-js and @grpc/proto-loader, in NODE_PATH,");
  }

  @Test
  void anIndependentClientReadsWhatWeMean() throws Exception {
    Path messages = Files.writeString(folder.resolve("rls.proto"), MESSAGES);
    try (RunningService service =
        RunningService.start(
            RunningService.options(folder)
                .config(List.of(RunningService.rules(folder, RULES)))
                .envoy(new EnvoyOptions().grpcPort(0)))) {
      String address = "127.0.0.1:" + service.server.grpcPort().getAsInt();
      assertThat(run(CLIENT, List.of(messages.toString(), address)))
          .containsExactly(
              "1 | 1 2 4 per-user 1 true ; 1 9 7  8 true ; 1 -",
              "1 | 1 2 4 per-user 0 true ; 1 9 7  7 true ; 1 -",
              "2 | 2 2 4 per-user 0 true ; 1 9 7  7 true ; 1 - retry 429",
              "2 | 2 9 7  0 true 429", // more than the limit: waiting does not help
              "2 rate limit domain must not be empty");
    }
  }

  /** What the program prints; the line {@code exit} and its complaint if it fails. */
  private List<String> run(String program, List<String> arguments)
      throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Path complaint = folder.resolve("complaint");
    List<String> command = new ArrayList<>(List.of("node", "-e", program, "--"));
    command.addAll(arguments);
    int exit =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(complaint.toFile())
            .start()
            .waitFor();
    return exit == 0
        ? Files.readAllLines(out)
        : List.of("exit " + exit, Files.readString(complaint));
  }
}
