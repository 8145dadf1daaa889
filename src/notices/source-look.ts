import { Injectable } from '@nestjs/common';
import type { ServiceFact } from '../delivery/new-notices';
import type { Tx } from '../platform/database/database';
import { readSilentSources, type SilentSource } from '../sources/silent-sources';
import { compareTold } from './compare-told';
import type { Findings, Look, Told } from './look';

/** Tells that a source which usually sends has not for a while. */
@Injectable()
export class SourceLook implements Look {
  readonly name = 'sources';
  readonly kinds = ['source_silent'] as const;
  readonly everyMs = 5_000;

  async look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings> {
    const silent = await readSilentSources(tx);
    const { news, ...next } = compareTold(told, new Map(silent.map(({ id }) => [id, 'silent'])));
    return { ...next, facts: silent.filter(({ id }) => news.has(id)).map(factOf) };
  }
}

function factOf({ id, name, silentAfterMinutes, lastEventAt }: SilentSource): ServiceFact {
  const time = silentAfterMinutes === 1 ? 'a minute' : `${silentAfterMinutes} minutes`;
  return {
    kind: 'source_silent',
    text: `Source "${name}" has sent nothing for ${time}.`,
    properties: {
      sourceId: id,
      sourceName: name,
      silentAfterMinutes,
      lastEventAt: lastEventAt?.toISOString() ?? null,
    },
  };
}
