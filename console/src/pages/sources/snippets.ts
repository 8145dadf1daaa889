interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** A first event with each SDK, sent to the service at `host`. */
export function snippets(host: string, writeKey: string): readonly Snippet[] {
  return [
    {
      name: 'Node.js',
      code: `// npm i @segment/analytics-node
import { Analytics } from '@segment/analytics-node';

const analytics = new Analytics({ writeKey: '${writeKey}', host: '${host}' });
analytics.track({ userId: 'ada', event: 'Order Completed', properties: { total: 12.5 } });
await analytics.closeAndFlush();`,
    },
    {
      name: 'Browser',
      code: `// npm i @segment/analytics-next
import { AnalyticsBrowser } from '@segment/analytics-next';

const analytics = AnalyticsBrowser.load({ writeKey: '${writeKey}', cdnURL: '${host}' });
analytics.track('Order Completed', { total: 12.5 });`,
    },
    {
      name: 'Python',
      code: `# pip install segment-analytics-python
from segment.analytics.client import Client

client = Client("${writeKey}", host="${host}")
client.track("ada", "Order Completed", {"total": 12.5})
client.shutdown()  # sends what waits`,
    },
    {
      name: 'curl',
      code: `curl -u '${writeKey}:' -H 'Content-Type: application/json' ${host}/v1/track \\
  -d '{"userId": "ada", "event": "Order Completed", "properties": {"total": 12.5}}'`,
    },
  ];
}
