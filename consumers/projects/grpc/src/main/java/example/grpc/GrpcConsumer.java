package example.grpc;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.grpc.WeirInterceptor;
import dev.weir.http.HttpLimiter;
import dev.weir.http.KeyResolver;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.io.InputStream;
import java.time.Duration;

/** Two calls to an interceptor with room for one. */
final class GrpcConsumer {
  private GrpcConsumer() {}

  public static void main(String[] arguments) {
    try (RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(1, Duration.ofDays(1)))) {
      WeirInterceptor interceptor =
          WeirInterceptor.of(HttpLimiter.byKey(KeyResolver.path(), limiter).build());
      for (int i = 0; i < 2; i++) {
        interceptor.interceptCall(
            new PrintingCall(), new Metadata(), (call, metadata) -> new ServerCall.Listener<>() {});
      }
    }
  }

  /** A call without a network: it prints how it was closed. */
  private static final class PrintingCall extends ServerCall<InputStream, InputStream> {
    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(InputStream message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      System.out.println(status.getCode());
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.EMPTY;
    }

    @Override
    public MethodDescriptor<InputStream, InputStream> getMethodDescriptor() {
      return MethodDescriptor.<InputStream, InputStream>newBuilder()
          .setFullMethodName("example.Greeter/Greet")
          .setType(MethodDescriptor.MethodType.UNARY)
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream value) {
      return value;
    }

    @Override
    public InputStream parse(InputStream stream) {
      return stream;
    }
  }
}
