package verify

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, Secret, ID, Timestamp, Body, XServiceSignature, WebhookSignature string }
	if err := json.Unmarshal(text, &vectors); err != nil || len(vectors) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, v := range vectors {
		seconds, _ := strconv.ParseInt(v.Timestamp, 10, 64)
		now, body, tampered := time.Unix(seconds, 0), []byte(v.Body), []byte(v.Body+" ")
		header := http.Header{}
		header.Set("webhook-id", v.ID)
		header.Set("webhook-timestamp", v.Timestamp)
		header.Set("webhook-signature", "v1,b2xk "+v.WebhookSignature)
		if !IsFromService(v.Secret, body, v.XServiceSignature) || IsFromService(v.Secret, tampered, v.XServiceSignature) {
			t.Error("X-Service-Signature:", v.Name)
		}
		if !IsStandardWebhook(v.Secret, body, header, now) || IsStandardWebhook(v.Secret, tampered, header, now) ||
			IsStandardWebhook(v.Secret, body, header, now.Add(time.Hour)) {
			t.Error("webhook-signature:", v.Name)
		}
	}
}
