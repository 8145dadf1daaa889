import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { StoreUnavailableError, UnknownWriteKeyError } from '../../ingestion/ingestion-problems';
import { Senders } from '../../ingestion/receiving/senders';
import { databaseNowMs, newRowId } from '../../platform/database/connections/database-clock';
import { mayPass } from '../../platform/database/failure';
import { ThrottledWarning } from '../../platform/logging/throttled-warning';
import type { Signature } from '../../sources/signature/signature';
import { type WebhookSource, WebhookSources } from '../../sources/webhook-sources';
import { InvalidSignatureError } from '../hook-problems';
import { HookSecrets } from './hook-secrets';
import { HookStore } from './hook-store';
import { keptHeaders, keptQuery } from './kept-headers';
import { type BodyFormat, readHookBody } from './read-hook-body';
import { sentIdOf } from './sent-id';
import { findSignatureFault } from './verify-signature';

/** A request as it came. */
interface IncomingHook {
  readonly writeKey: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: object;
  readonly format: BodyFormat;
  /** Reads the body; only of a request whose key is known. */
  readonly readBody: () => Promise<Buffer>;
}

/** The way of somebody's webhook from its bytes to 200, one step a line. `hook.processor.ts` is its way from there. */
@Injectable()
export class HookIntake {
  private readonly warning = new ThrottledWarning(new Logger(HookIntake.name));

  constructor(
    private readonly senders: Senders,
    private readonly sources: WebhookSources,
    private readonly secrets: HookSecrets,
    private readonly store: HookStore,
  ) {}

  /**
   * Resolves once the request is on disk, with what is to be answered.
   * @throws UnknownWriteKeyError, InvalidSignatureError, SecretsUnavailableError, InvalidJsonError, BodyTooDeepError,
   *   OverloadedError, HookBacklogError, StoreUnavailableError
   */
  async receiveHook(incoming: IncomingHook): Promise<object> {
    const { headers, query, format } = incoming;
    const source = await this.demandSource(incoming.writeKey);
    const signature = this.secrets.open(source);
    const bytes = await incoming.readBody();
    if (signature !== null) this.demandSignature(source, signature, { headers, body: bytes });
    const body = readHookBody(bytes, format);
    const challenge = challengeIn(signature, body.value);
    if (challenge !== undefined) return { challenge };
    const kept = JSON.stringify({
      headers: keptHeaders(headers, signature?.hmac?.header),
      query: keptQuery(query),
    });
    await this.store.keep({
      id: newRowId(),
      sourceId: source.id,
      sentId: sentIdOf(signature?.scheme, headers, body.value),
      // Not parsed and written again: its numbers keep their digits.
      request: `${kept.slice(0, -1)},"body":${body.text}}`,
    });
    return { success: true };
  }

  private async demandSource(writeKey: string): Promise<WebhookSource> {
    const found = await this.senders.findWebhook(writeKey);
    if (found === undefined) throw new UnknownWriteKeyError();
    const source = await this.sources.find(found.id).catch((error: unknown) => {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    });
    if (source === undefined) throw new UnknownWriteKeyError();
    return source;
  }

  private demandSignature(
    { id: sourceId, name }: WebhookSource,
    signature: Signature,
    request: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  ): void {
    const fault = findSignatureFault(signature, request, databaseNowMs());
    if (fault === undefined) return;
    const { scheme } = signature;
    this.warning.warn(`A request for the source ${name} was refused for its signature`, {
      sourceId,
      scheme,
      fault,
    });
    throw new InvalidSignatureError();
  }
}

/** Slack asks once whether somebody is there who reads what it sends. */
function challengeIn(signature: Signature | null, body: unknown): string | undefined {
  if (signature?.scheme !== 'slack' || typeof body !== 'object' || body === null) return undefined;
  const { type, challenge } = body as Partial<Record<string, unknown>>;
  return type === 'url_verification' && typeof challenge === 'string' ? challenge : undefined;
}
