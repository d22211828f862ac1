package dev.weir.grpc;

import dev.weir.http.HttpAnswer;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Set;

/**
 * Adds the fields that tell a client of its limits to the headers of the response, and says how the
 * handler responded where a limit asks for it.
 */
final class ResponseFields<Q, R> extends SimpleForwardingServerCall<Q, R> {
  /** They belong to HTTP's caches and clients; gRPC says the wait by other means. */
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
