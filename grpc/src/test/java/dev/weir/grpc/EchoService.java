package dev.weir.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/** A server that echoes texts, on Netty and a real port, and a channel to it. */
final class EchoService implements AutoCloseable {
  static final MethodDescriptor<String, String> UNARY = method("Unary", MethodType.UNARY);
  static final MethodDescriptor<String, String> OTHER = method("Other", MethodType.UNARY);
  static final MethodDescriptor<String, String> STREAM =
      method("Stream", MethodType.BIDI_STREAMING);

  /** The names of the threads that ran handlers of unary calls. */
  final Queue<String> handlerThreads = new ConcurrentLinkedQueue<>();

  final ManagedChannel channel;
  private final Server server;

  /**
   * @param interceptors the first is called first
   */
  EchoService(UnaryOperator<NettyServerBuilder> settings, ServerInterceptor... interceptors)
      throws IOException {
    NettyServerBuilder builder =
        settings.apply(NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0)));
    for (int i = interceptors.length - 1; i >= 0; i--) {
      builder.intercept(interceptors[i]);
    }
    server = builder.addService(service()).build().start();
    channel = connect(Map.of());
  }

  /** Another channel, with a service config of its own. */
  ManagedChannel connect(Map<String, ?> serviceConfig) {
    return NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
        .usePlaintext()
        .defaultServiceConfig(serviceConfig)
        .enableRetry()
        .build();
  }

  static String call(Channel channel, CallOptions options) {
    return ClientCalls.blockingUnaryCall(channel, UNARY, options, "hello");
  }

  private ServerServiceDefinition service() {
    return ServerServiceDefinition.builder("test.Echo")
        .addMethod(UNARY, ServerCalls.asyncUnaryCall(this::echo))
        .addMethod(OTHER, ServerCalls.asyncUnaryCall(this::echo))
        .addMethod(STREAM, ServerCalls.asyncBidiStreamingCall(EchoService::echoAll))
        .build();
  }

  /** Fails with the code that the text names; "throws" is a handler with a defect. */
  private void echo(String text, StreamObserver<String> answer) {
    handlerThreads.add(Thread.currentThread().getName());
    if (text.equals("throws")) {
      throw new IllegalStateException("a defect of the handler");
    }
    if (text.equals(text.toUpperCase(Locale.ROOT))) {
      answer.onError(Status.Code.valueOf(text).toStatus().asRuntimeException());
      return;
    }
    answer.onNext(text);
    answer.onCompleted();
  }

  private static StreamObserver<String> echoAll(StreamObserver<String> answer) {
    return new StreamObserver<>() {
      @Override
      public void onNext(String text) {
        answer.onNext(text);
      }

      @Override
      public void onError(Throwable failed) {}

      @Override
      public void onCompleted() {
        answer.onCompleted();
      }
    };
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }

  private static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.<String, String>newBuilder()
        .setFullMethodName("test.Echo/" + name)
        .setType(type)
        .setRequestMarshaller(new TextMarshaller())
        .setResponseMarshaller(new TextMarshaller())
        .build();
  }

  private static final class TextMarshaller implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream bytes) {
      try (bytes) {
        return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
