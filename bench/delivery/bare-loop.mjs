// The yardstick: a loop that signs and posts a body, and does nothing else. Prints posts per second.
import { createHmac, randomUUID } from 'node:crypto';
import { Pool } from 'undici';

const [, , origin, path, total, connections] = process.argv;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const key = Buffer.from(secret.slice(6), 'base64');
const pool = new Pool(origin, { connections: Number(connections) });
const text = JSON.stringify({
  type: 'track',
  event: 'Order Completed',
  userId: 'user-1',
  messageId: randomUUID(),
  timestamp: new Date().toISOString(),
  receivedAt: new Date().toISOString(),
  properties: { orderId: '50314b8e9bcf000000000000', total: 30, currency: 'EUR', products: ['a', 'b', 'c'] },
  context: { ip: '203.0.113.7', userAgent: 'bench', locale: 'en' },
});

let left = Number(total);
async function loop() {
  while (left-- > 0) {
    const body = Buffer.from(text);
    const id = randomUUID();
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    const { body: answer } = await pool.request({
      method: 'POST',
      path,
      body,
      headers: {
        'content-type': 'application/json',
        'x-service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
    });
    await answer.dump();
  }
}

const start = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, loop));
console.log(Math.round(Number(total) / ((performance.now() - start) / 1000)));
await pool.close();
