import { aToken } from './a-token';
import { ApiClient } from './api-client';

/** Makes a webhook destination over the Management API of a service in a process of its own. */
export async function aWebhook(
  serviceUrl: string,
  receiverUrl: string,
  jwtSecret: string,
  settings: { readonly batch?: object } = {},
): Promise<void> {
  const api = new ApiClient(serviceUrl, { authorization: `Bearer ${await aToken({ jwtSecret })}` });
  const config = { url: receiverUrl, ...settings };
  const { status } = await api.post('/destinations', { name: 'Receiver', type: 'webhook', config });
  if (status !== 201) throw new Error(`No destination could be made: ${status}`);
}
