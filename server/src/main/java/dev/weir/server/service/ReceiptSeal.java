package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.SerialExecutor;
import dev.weir.internal.schedule.Workers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals receipts with an HMAC over their text ({@link ReceiptText}), so that a client cannot forge
 * a receipt and give back permits that no check took. Safe for many threads.
 *
 * <p>The secret is random. Instances share it through their Redis, beside the state: anyone who can
 * read it there could change the state directly. It is read every few seconds. If Redis has lost
 * it, the first instance to notice writes its own secret; the others adopt it, and still accept
 * seals made with the previous one.
 */
public final class ReceiptSeal implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ReceiptSeal.class.getName());
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SECRET_BYTES = 32;

  /** 72 bits: guessing a seal takes 2^71 calls on average, and yields a single receipt. */
  private static final int SEAL_BYTES = 9;

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final Optional<FleetText> shared;
  private final Executor background = SerialExecutor.keepingAll(Workers.EXECUTOR);
  private final RepeatingTask polling =
      new RepeatingTask("sharing the secret of receipts", background, this::synchronise);
  private volatile List<Secret> secrets = List.of(Secret.of(random()));

  /**
   * @param mac never updated, only cloned: that is quicker than making one
   */
  private record Secret(String text, Mac mac) {
    static Secret of(String text) {
      try {
        Mac mac = Mac.getInstance(ALGORITHM);
        mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM));
        return new Secret(text, mac);
      } catch (GeneralSecurityException missing) {
        throw new IllegalStateException("every Java platform has " + ALGORITHM, missing);
      }
    }

    byte[] seal(String sealed) {
      try {
        Mac own = (Mac) mac.clone();
        byte[] whole = own.doFinal(sealed.getBytes(StandardCharsets.UTF_8));
        return Arrays.copyOf(whole, SEAL_BYTES);
      } catch (CloneNotSupportedException impossible) {
        throw new IllegalStateException(
            "the platform's " + ALGORITHM + " can be cloned", impossible);
      }
    }
  }

  private ReceiptSeal(Optional<FleetText> shared) {
    this.shared = shared;
  }

  /**
   * Agrees on a secret with the other instances, once before it returns and then every few seconds.
   *
   * @param shared the text that instances share; without it there is only this one
   */
  public static ReceiptSeal start(Optional<FleetText> shared) {
    ReceiptSeal started = new ReceiptSeal(shared);
    if (shared.isPresent()) {
      CompletableFuture.runAsync(started::synchronise, started.background).join();
      started.polling.start(POLL_INTERVAL);
    }
    return started;
  }

  private static String random() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return BASE64.encodeToString(secret);
  }

  /** The seal of a text: letters, digits, {@code -} and {@code _}. */
  String of(String sealed) {
    return BASE64.encodeToString(secrets.get(0).seal(sealed));
  }

  /** Whether an instance on this store has sealed exactly this text. */
  boolean isOf(String sealed, String seal) {
    byte[] given = seal.getBytes(StandardCharsets.UTF_8);
    return secrets.stream()
        .anyMatch(
            secret ->
                MessageDigest.isEqual(
                    given,
                    BASE64.encodeToString(secret.seal(sealed)).getBytes(StandardCharsets.UTF_8)));
  }

  /** Adopts the shared secret, or publishes the own one if there is none. */
  void synchronise() {
    try {
      FleetText text = shared.orElseThrow();
      Optional<String> theirs = text.read();
      Secret own = secrets.get(0);
      if (theirs.isEmpty() && !text.swap(theirs, Optional.of(own.text))) {
        theirs = text.read(); // another was quicker
      }
      theirs.filter(secret -> !secret.equals(own.text)).ifPresent(this::adopt);
    } catch (StoreUnavailableException unavailable) {
      // The store itself logs that it does not answer. The next round tries again.
    } catch (RuntimeException bug) {
      LOG.log(System.Logger.Level.ERROR, "the secret of receipts cannot be shared", bug);
    }
  }

  private void adopt(String secret) {
    secrets = Stream.of(Secret.of(secret), secrets.get(0)).toList();
  }

  @Override
  public void close() {
    polling.close();
  }
}
