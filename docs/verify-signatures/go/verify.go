// Package verify checks the signatures of webhooks. Go 1.20 or later, standard library only.
package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsFromService checks X-Service-Signature. rawBody is the bytes as they came, before any parsing.
func IsFromService(secret string, rawBody []byte, signature string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature))
}

// IsStandardWebhook checks the Standard Webhooks headers. It also refuses what is older than five minutes.
func IsStandardWebhook(secret string, rawBody []byte, header http.Header, now time.Time) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(now.Sub(time.Unix(seconds, 0)).Seconds()) > 300 {
		return false
	}
	key := []byte(secret)
	if encoded, found := strings.CutPrefix(secret, "whsec_"); found {
		if key, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			return false
		}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(rawBody)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// After a rotation there are two signatures, one per secret.
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}
