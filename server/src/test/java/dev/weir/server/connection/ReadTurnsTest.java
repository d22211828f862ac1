package dev.weir.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ten clients have sent all they have to send before the first of them is accepted. */
final class ReadTurnsTest {
  private static final int CLIENTS = 10;
  private static final int SENT = 6400;
  private static final int READ = 64;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final MultiThreadIoEventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoop loop = group.next();
  private final List<Socket> clients = new ArrayList<>();
  private final AtomicInteger received = new AtomicInteger();
  private final Map<Integer, Integer> readsByPass = new ConcurrentHashMap<>();
  private int pass;

  @AfterEach
  void close() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void oneNewAndOneThatSentAheadAreReadInEachPass() throws Exception {
    receiveAll(/* pausing= */ false);
    assertThat(readsByPass.values()).allSatisfy(reads -> assertThat(reads).isLessThanOrEqualTo(2));
  }

  @Test
  void whoIsNotToBeReadForAWhileLosesNothing() throws Exception {
    receiveAll(/* pausing= */ true);
  }

  @SuppressWarnings("deprecation") // there is no other way to choose the size of reads
  private void receiveAll(boolean pausing) throws Exception {
    InetAddress local = InetAddress.getLoopbackAddress();
    Channel listening =
        new ServerBootstrap()
            .group(group)
            .channelFactory(() -> new TurnTakingServerChannel(0))
            .childOption(
                ChannelOption.RCVBUF_ALLOCATOR,
                new FixedRecvByteBufAllocator(READ).maxMessagesPerRead(1))
            .childHandler(new Receivers(pausing))
            .bind(new InetSocketAddress(local, 0))
            .sync()
            .channel();
    CountDownLatch sent = new CountDownLatch(1);
    loop.execute(() -> awaitUninterruptibly(sent));
    for (int i = 0; i < CLIENTS; i++) {
      Socket client = new Socket(local, ((InetSocketAddress) listening.localAddress()).getPort());
      client.getOutputStream().write(new byte[SENT]);
      clients.add(client);
    }
    loop.execute(this::countPasses);
    sent.countDown();
    await().atMost(SOON).until(() -> received.get() == CLIENTS * SENT);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Scheduled tasks run once between two passes. */
  private void countPasses() {
    pass++;
    if (!loop.isShuttingDown()) {
      loop.schedule(this::countPasses, 0, TimeUnit.NANOSECONDS);
    }
  }

  private final class Receivers extends ChannelInitializer<Channel> {
    private final boolean pausing;

    Receivers(boolean pausing) {
      this.pausing = pausing;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel.pipeline().addLast(new Receiver(pausing));
    }
  }

  private final class Receiver extends ChannelInboundHandlerAdapter {
    private final boolean pausing;

    Receiver(boolean pausing) {
      this.pausing = pausing;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      readsByPass.merge(pass, 1, Integer::sum);
      received.addAndGet(bytes.readableBytes());
      bytes.release();
      if (pausing) {
        context.channel().config().setAutoRead(false);
        context.executor().execute(() -> context.channel().config().setAutoRead(true));
      }
    }
  }
}
