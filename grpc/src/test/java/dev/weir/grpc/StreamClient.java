package dev.weir.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One stream to the echo, from the side of the client. */
final class StreamClient implements StreamObserver<String>, AutoCloseable {
  private final List<String> received = new ArrayList<>();
  private final CompletableFuture<List<String>> all = new CompletableFuture<>();
  private final StreamObserver<String> requests;

  StreamClient(Channel channel) {
    requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(EchoService.STREAM, CallOptions.DEFAULT), this);
  }

  void send(String... texts) {
    for (String text : texts) {
      requests.onNext(text);
    }
    requests.onCompleted();
  }

  List<String> received() throws Exception {
    return all.get(30, TimeUnit.SECONDS);
  }

  @Override
  public void onNext(String text) {
    received.add(text);
  }

  @Override
  public void onError(Throwable failed) {
    all.completeExceptionally(failed);
  }

  @Override
  public void onCompleted() {
    all.complete(received);
  }

  @Override
  public void close() {
    all.cancel(false);
  }
}
