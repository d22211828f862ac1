package dev.weir.server.grpc;

import dev.weir.server.connection.AcceptHandler;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.connection.OpenConnection;
import dev.weir.server.connection.TurnTakingServerChannel;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * The connections of proxies: registered as they are accepted, together with those of HTTP, and
 * served by event loops of their own, where those that send ahead take turns. Safe for many
 * threads.
 */
final class GrpcConnections implements AutoCloseable {
  /** The registered connection that a call came over. */
  static final Attributes.Key<OpenConnection> CONNECTION = Attributes.Key.create("weir-connection");

  /**
   * One such read in each pass of the event loop: some hundred calls. Their answers are written
   * after the pass, and until then all of them are in the heap.
   */
  private static final int LARGEST_READ = 16_384;

  /** What the system keeps in each direction for a client that does not read, or is not read. */
  private static final int SOCKET_BYTES = 65_536;

  private final ConnectionRegistry registry;
  private final EventLoopGroup accepting = loops("weir-grpc-accept", 1);
  private final EventLoopGroup serving =
      loops("weir-grpc", Runtime.getRuntime().availableProcessors());

  GrpcConnections(ConnectionRegistry registry) {
    this.registry = registry;
  }

  private static EventLoopGroup loops(String name, int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, /* daemon= */ true), NioIoHandler.newFactory());
  }

  @SuppressWarnings("deprecation") // there is no other way to choose the size of reads
  NettyServerBuilder configure(NettyServerBuilder builder) {
    return builder
        .bossEventLoopGroup(accepting)
        .workerEventLoopGroup(serving)
        .channelFactory(this::listening)
        .withChildOption(
            ChannelOption.RCVBUF_ALLOCATOR,
            new AdaptiveRecvByteBufAllocator(512, 4096, LARGEST_READ).maxMessagesPerRead(1))
        .withChildOption(ChannelOption.SO_SNDBUF, SOCKET_BYTES)
        .withChildOption(ChannelOption.SO_RCVBUF, SOCKET_BYTES)
        .addTransportFilter(new RegisteredConnections());
  }

  private ServerChannel listening() {
    ServerChannel channel = new TurnTakingServerChannel();
    channel.pipeline().addLast(AcceptHandler.closingIdleItself(registry));
    return channel;
  }

  /** Finds the registered connection once, so that each call need not. */
  private final class RegisteredConnections extends ServerTransportFilter {
    @Override
    public Attributes transportReady(Attributes attributes) {
      return attributes.get(Grpc.TRANSPORT_ATTR_LOCAL_ADDR) instanceof InetSocketAddress local
              && attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress peer
          ? registry.between(local, peer).map(open -> prepared(open, attributes)).orElse(attributes)
          : attributes;
    }

    private static Attributes prepared(OpenConnection open, Attributes attributes) {
      open.resetUnfinishedStreams();
      return attributes.toBuilder().set(CONNECTION, open).build();
    }
  }

  @Override
  public void close() {
    accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    serving.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
