import { defaultEvent } from './default-event';

const eventOf = (headers: object, body: string): Record<string, unknown> =>
  JSON.parse(defaultEvent(`{"headers":${JSON.stringify(headers)},"query":{},"body":${body}}`, 's-1'));

describe('defaultEvent', () => {
  it.each([
    [{ 'x-github-event': 'push' }, '{"ref":"main"}', 'push'],
    [{ 'x-github-event': 'issues' }, '{"action":"opened"}', 'issues opened'],
    [{ 'x-shopify-topic': 'orders/create' }, '{"type":"other"}', 'orders/create'],
    [{}, '{"type":"invoice.paid","id":"evt_1"}', 'invoice.paid'],
    [{}, '{"type":"event_callback","event":{"type":"app_mention"}}', 'app_mention'],
    [{}, '{"event_type":"ping"}', 'ping'],
    [{}, '{"event":"delivered"}', 'delivered'],
    [{}, '{"type":7,"event":" "}', 'Webhook Received'],
    [{}, '{"type":1.0,"event_type":12345678901234567890}', 'Webhook Received'],
    [{ 'x-github-event': 'push' }, '{"action":1.0}', 'push'],
    [{}, '[1,2]', 'Webhook Received'],
    [{}, 'null', 'Webhook Received'],
    [{}, `{"type":"${'x'.repeat(500)}"}`, 'x'.repeat(200)],
  ])('names what %j and %s say', (headers, body, name) => {
    expect(eventOf(headers, body).event).toBe(name);
  });

  it('has the body as properties, with its digits, and stands for the source', () => {
    const request = '{"headers":{},"query":{},"body":{"n":12345678901234567890,"sum":1.0}}';
    expect(defaultEvent(request, 's-1')).toBe(
      '{"type":"track","event":"Webhook Received","anonymousId":"webhook:s-1","properties":{"n":12345678901234567890,"sum":1.0}}',
    );
    expect(eventOf({}, '[1]').properties).toEqual({ body: [1] });
  });
});
