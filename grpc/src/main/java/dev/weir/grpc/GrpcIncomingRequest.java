package dev.weir.grpc;

import dev.weir.http.ClientAddress;
import dev.weir.http.IncomingRequest;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A call of gRPC, read as a POST to the path of its method. */
record GrpcIncomingRequest(
    ServerCall<?, ?> call, Metadata metadata, WeirInterceptor.CallAttributes attributes)
    implements IncomingRequest {
  @Override
  public String method() {
    return "POST";
  }

  @Override
  public String target() {
    return "/" + call.getMethodDescriptor().getFullMethodName();
  }

  @Override
  public String peer() {
    return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress at
            && at.getAddress() != null
        ? at.getAddress().getHostAddress()
        : ClientAddress.UNKNOWN;
  }

  /** Binary metadata is left out: keys are text. */
  @Override
  public List<String> headers(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    if (key.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      return List.of();
    }
    if (key.equals("host")) {
      String authority = call.getAuthority();
      return authority == null ? List.of() : List.of(authority);
    }
    Iterable<String> values =
        metadata.getAll(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
    return values == null ? List.of() : StreamSupport.stream(values.spliterator(), false).toList();
  }

  @Override
  public @Nullable String attribute(String name) {
    return attributes.value(name, call, metadata);
  }
}
