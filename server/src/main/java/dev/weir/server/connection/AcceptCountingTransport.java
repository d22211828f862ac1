package dev.weir.server.connection;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.spi.transport.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;

/**
 * The NIO transport that Vert.x uses by default, which also registers each accepted connection with
 * the registry of its port, and lets connections take turns. Vert.x itself reports a connection
 * only after its TLS handshake.
 */
public final class AcceptCountingTransport implements Transport {
  private static final Transport NIO = io.vertx.core.transport.Transport.NIO.implementation();

  /**
   * Reads small chunks, one at a time, and at first a very small one: pipelined requests wait in
   * the heap, as objects larger than their bytes, until earlier ones are answered. Reading stops
   * when some are waiting, but only between two chunks.
   */
  private static final RecvByteBufAllocator READS =
      new AdaptiveRecvByteBufAllocator(512, 512, 1024).maxMessagesPerRead(1);

  /**
   * Answers wait in direct memory while a client does not read; these marks bound them to about one
   * answer. Thousands of such clients would otherwise use it up, and every allocation would then
   * stop its event loop for a second.
   */
  private static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(2048, 8192);

  private final Map<Integer, ConnectionRegistry> byPort;

  public AcceptCountingTransport(Map<Integer, ConnectionRegistry> byPort) {
    this.byPort = Map.copyOf(byPort);
  }

  /** As {@code VertxBuilder} takes it. */
  public io.vertx.core.transport.Transport forVertx() {
    return new io.vertx.core.transport.Transport() {
      @Override
      public String name() {
        return "nio";
      }

      @Override
      public boolean available() {
        return true;
      }

      @Override
      public Throwable unavailabilityCause() {
        return null;
      }

      @Override
      public Transport implementation() {
        return AcceptCountingTransport.this;
      }
    };
  }

  @Override
  @SuppressWarnings("deprecation") // there is no other way to choose the size of reads
  public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
    NIO.configure(config, domainSocket, bootstrap);
    bootstrap.handler(new AcceptHandlerOfPort());
    bootstrap.childOption(ChannelOption.RCVBUF_ALLOCATOR, READS);
    bootstrap.childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD);
  }

  /** Finds out the port when it is bound, and leaves its place to the handler of that port. */
  private final class AcceptHandlerOfPort extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      ConnectionRegistry registry = byPort.get(port(context.channel()));
      if (registry != null) {
        context.pipeline().addAfter(context.name(), null, AcceptHandler.closingIdle(registry));
      }
      super.channelActive(context);
    }
  }

  private static int port(Channel listening) {
    return listening.localAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
  }

  @Override
  public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
    NIO.configure(config, domainSocket, bootstrap);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    NIO.configure(channel, options);
  }

  @Override
  public boolean supportsDomainSockets() {
    return NIO.supportsDomainSockets();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return NIO.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return NIO.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return NIO.ioHandlerFactory();
  }

  @Override
  @SuppressWarnings("deprecation") // the type that Vert.x names
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return NIO.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
    return NIO.datagramChannelFactory();
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return NIO.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return domainSocket ? NIO.serverChannelFactory(true) : TurnTakingServerChannel::new;
  }
}
