import { Injectable } from '@nestjs/common';
import { mayPass } from '../../platform/database/failure';
import type { SourceKind } from '../../sources/source-kind';
import { type AuthenticatedSource, WriteKeys } from '../../sources/write-keys';
import { InvalidWriteKeyError, StoreUnavailableError } from '../ingestion-problems';

/** Finds out by its write key which source sends a request. */
@Injectable()
export class Senders {
  constructor(private readonly writeKeys: WriteKeys) {}

  /** The enabled source of SDKs with this key. @throws StoreUnavailableError */
  findSource(writeKey: string): Promise<AuthenticatedSource | undefined> {
    return this.findOfKind('sdk', writeKey);
  }

  /**
   * The enabled webhook with this key. Neither key does for the other: that of a webhook proves nothing where it asks
   * for signatures. @throws StoreUnavailableError
   */
  findWebhook(writeKey: string): Promise<AuthenticatedSource | undefined> {
    return this.findOfKind('webhook', writeKey);
  }

  /**
   * The source of the first of some keys that is one; those that are undefined were not sent.
   * @param fromBrowser whether a page asks
   * @throws InvalidWriteKeyError, StoreUnavailableError
   */
  async authenticate(
    writeKeys: Iterable<string | undefined>,
    fromBrowser: boolean,
  ): Promise<AuthenticatedSource> {
    for (const writeKey of writeKeys) {
      const source = writeKey === undefined ? undefined : await this.findSource(writeKey);
      if (source !== undefined) return source;
    }
    throw new InvalidWriteKeyError(fromBrowser);
  }

  private async findOfKind(kind: SourceKind, writeKey: string): Promise<AuthenticatedSource | undefined> {
    const source = await this.writeKeys.find(writeKey).catch((error: unknown) => {
      throw mayPass(error) ? new StoreUnavailableError() : error;
    });
    return source?.kind === kind ? source : undefined;
  }
}
