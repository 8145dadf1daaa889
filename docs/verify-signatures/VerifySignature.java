// Java 17 or later, no libraries.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class VerifySignature {
  /** X-Service-Signature. rawBody is the bytes as they came, before any parsing. */
  public static boolean isFromService(String secret, byte[] rawBody, String signature)
      throws GeneralSecurityException {
    byte[] digest = hmac(secret.getBytes(StandardCharsets.UTF_8), rawBody);
    return isEqual("sha256=" + HexFormat.of().formatHex(digest), signature);
  }

  /** Standard Webhooks: also refuses what is older than five minutes. */
  public static boolean isStandardWebhook(
      String secret, byte[] rawBody, String id, String timestamp, String signatures, Instant now)
      throws GeneralSecurityException {
    Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
    if (age.compareTo(Duration.ofMinutes(5)) > 0) return false;
    byte[] key =
        secret.startsWith("whsec_")
            ? Base64.getDecoder().decode(secret.substring(6))
            : secret.getBytes(StandardCharsets.UTF_8);
    byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    byte[] signed = Arrays.copyOf(prefix, prefix.length + rawBody.length);
    System.arraycopy(rawBody, 0, signed, prefix.length, rawBody.length);
    String expected = "v1," + Base64.getEncoder().encodeToString(hmac(key, signed));
    // After a rotation there are two signatures, one per secret.
    boolean valid = false;
    for (String given : signatures.split(" ")) valid |= isEqual(expected, given);
    return valid;
  }

  private static byte[] hmac(byte[] key, byte[] message) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(message);
  }

  private static boolean isEqual(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
  }

  /** secret, id, timestamp, the two signatures, now in seconds, and the body in base64: prints two booleans. */
  public static void main(String[] args) throws GeneralSecurityException {
    byte[] body = Base64.getDecoder().decode(args[6]);
    Instant now = Instant.ofEpochSecond(Long.parseLong(args[5]));
    System.out.println(
        isFromService(args[0], body, args[3])
            + " "
            + isStandardWebhook(args[0], body, args[1], args[2], args[4], now));
  }
}
