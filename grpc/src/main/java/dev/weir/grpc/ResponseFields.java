package dev.weir.grpc;

import dev.weir.http.HttpAnswer;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Set;

/**
 * Adds the RateLimit fields to the headers of the response, and reports how the handler responded
 * where a limit asks for it.
 */
final class ResponseFields<Q, R> extends SimpleForwardingServerCall<Q, R> {
  /** Fields for clients and caches of HTTP; gRPC has RetryInfo and the pushback trailer instead. */
  private static final Set<String> OF_HTTP_ALONE = Set.of("Cache-Control", "Retry-After");

  private final HttpAnswer answer;
  private final Metadata fields;

  ResponseFields(ServerCall<Q, R> call, HttpAnswer answer) {
    super(call);
    this.answer = answer;
    this.fields = of(answer);
  }

  @Override
  public void sendHeaders(Metadata headers) {
    headers.merge(fields);
    super.sendHeaders(headers);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    answer.responded(HttpStatuses.of(status.getCode()));
    super.close(status, trailers);
  }

  static Metadata of(HttpAnswer answer) {
    Metadata fields = new Metadata();
    answer
        .fields()
        .forEach(
            (name, value) -> {
              if (!OF_HTTP_ALONE.contains(name)) {
                fields.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
              }
            });
    return fields;
  }
}
