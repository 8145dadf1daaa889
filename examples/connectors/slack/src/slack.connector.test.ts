import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorContract, RecordingServer, testContext } from 'cdp-service/testing';
import { connector } from './slack.connector.js';

for (const { name, run } of connectorContract({
  connector,
  config: (url) => ({ webhookUrl: `${url}/services/T000/B000/secret` }),
  invalidConfigs: [{}, { webhookUrl: 'slack' }, { webhookUrl: 'ftp://example.com' }],
})) {
  test(name, run);
}

test('says what a notice about the service says', async () => {
  const server = await RecordingServer.start();
  const context = testContext();
  try {
    const text = 'Destination "Orders" is degraded (timeout).';
    const body = JSON.stringify({ type: 'notice', event: 'destination_degraded', text, properties: {} });
    const config = { webhookUrl: server.url, template: '{event} by {user}' };
    await connector.send({ deliveryId: '1', eventType: 'track', body }, config, context);
    assert.deepEqual(JSON.parse(server.requests[0]!.body), { text });
  } finally {
    await context.close();
    await server.stop();
  }
});

test('fills in the template', async () => {
  const server = await RecordingServer.start();
  const context = testContext();
  try {
    const body = JSON.stringify({
      type: 'track',
      event: 'Order <3',
      userId: 'ann',
      properties: { amount: 5 },
    });
    const config = { webhookUrl: server.url, template: '{event}: {properties.amount} by {user}{nothing}' };
    await connector.send({ deliveryId: '1', eventType: 'track', body }, config, context);
    assert.deepEqual(JSON.parse(server.requests[0]!.body), { text: 'Order &lt;3: 5 by ann' });
  } finally {
    await context.close();
    await server.stop();
  }
});
