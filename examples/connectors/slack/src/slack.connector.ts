import {
  type ConnectorContext,
  type EventConnector,
  type OutboundEvent,
  throwIfFailed,
} from 'cdp-service/connector';
import { IsOptional, IsUrl, MaxLength } from 'class-validator';

/** What an operator fills in. */
export class SlackConfig {
  /** An incoming webhook of Slack, or of anything that understands its messages. */
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  webhookUrl!: string;

  /** The message; `{event}`, `{user}` and dotted paths such as `{properties.amount}` are filled in. */
  @IsOptional()
  @MaxLength(1_000)
  template?: string;
}

/** Posts a message for each event, and for each notice that the destination asks for. */
export class SlackConnector implements EventConnector<SlackConfig> {
  readonly id = 'slack';
  readonly name = 'Slack';
  readonly configClass = SlackConfig;
  // Whoever knows the address may post: it is a secret.
  readonly secretFields = ['webhookUrl'];

  async send({ body }: OutboundEvent, config: SlackConfig, { http }: ConnectorContext) {
    const text = messageOf(JSON.parse(body), config.template ?? '{event} by {user}');
    const answer = await http.request({
      method: 'POST',
      url: config.webhookUrl,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return throwIfFailed(answer);
  }
}

type Json = Record<string, unknown>;

/** A notice about the service says what it has to say itself. */
function messageOf(event: Json, template: string): string {
  return event.type === 'notice' ? escape(String(event.text)) : fillIn(template, event);
}

function fillIn(template: string, event: Json): string {
  const shortcuts: Json = {
    event: event.event ?? event.name ?? event.type,
    user: event.userId ?? event.anonymousId ?? 'somebody',
  };
  return template.replace(/\{([\w.]+)\}/g, (_, path: string) =>
    escape(String(shortcuts[path] ?? valueAt(event, path) ?? '')),
  );
}

function valueAt(event: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Json | null | undefined)?.[key], event);
}

/** The three characters that mean something in a Slack message. */
function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** What `CDP_CONNECTORS` looks for. */
export const connector = new SlackConnector();
