import type { Dto } from '../../api/client';
import { objectText, readObject } from '../../shared/read-object';
import { type FilterDraft, filterDraftOf, filterOf } from './filter/filter-draft';
import type { Notice } from './notices-field';
import type { ConfigValues } from './schema-form';

/** What can be changed of a destination, while it is written. */
export interface SettingsDraft {
  readonly name: string;
  readonly config: ConfigValues;
  /** None is all. */
  readonly sources: readonly string[];
  readonly filter: FilterDraft;
  /** Empty is none. */
  readonly transformationId: string;
  /** JSON; nothing is none. */
  readonly mapping: string;
  readonly notices: readonly Notice[];
  /** Names of computed traits; none is all. */
  readonly noticeTraits: readonly string[];
  readonly perSecond: number | string;
  readonly order: OrderDraft;
}

/** In what order a destination gets events, while it is written. */
export interface OrderDraft {
  /** What becomes of a delivery that others have waited for too long; `none` is no order. */
  readonly afterwards: 'none' | 'pass' | 'dead_letter';
  readonly maxWaitSeconds: number | string;
  readonly maxWaiting: number | string;
}

/** Of a destination that is created. */
export const NEW_DRAFT: SettingsDraft = {
  name: '',
  config: {},
  sources: [],
  filter: filterDraftOf(null),
  transformationId: '',
  mapping: '',
  notices: [],
  noticeTraits: [],
  perSecond: '',
  order: { afterwards: 'none', maxWaitSeconds: '', maxWaiting: '' },
};

export function draftOf(destination: Dto['DestinationDto']): SettingsDraft {
  const { name, config, sources, filter, transformationId, mapping } = destination;
  const { notices, noticeTraits, rateLimit, order } = destination;
  return {
    name,
    config,
    sources: sources ?? [],
    filter: filterDraftOf(filter),
    transformationId: transformationId ?? '',
    mapping: objectText(mapping),
    notices,
    noticeTraits: noticeTraits ?? [],
    perSecond: rateLimit?.perSecond ?? '',
    order: {
      afterwards: order === null ? 'none' : (order.afterwards ?? 'pass'),
      maxWaitSeconds: order?.maxWaitSeconds ?? '',
      maxWaiting: order?.maxWaiting ?? '',
    },
  };
}

type Changes = Omit<Dto['CreateDestinationDto'], 'type'>;

/** What is written as the API takes it; undefined while something is missing, or no JSON. */
export function changesOf(draft: SettingsDraft): Changes | undefined {
  const { name, config, sources, transformationId, notices, noticeTraits, perSecond } = draft;
  const filter = filterOf(draft.filter);
  const mapping = readObject(draft.mapping);
  if (filter === undefined || mapping === 'no_object') return undefined;
  return {
    name,
    config,
    sources: sources.length === 0 ? null : [...sources],
    filter,
    transformationId: transformationId === '' ? null : transformationId,
    mapping,
    notices: [...notices],
    noticeTraits: isOfSomeTraits(draft) ? [...noticeTraits] : null,
    rateLimit: perSecond === '' ? null : { perSecond: Number(perSecond) },
    order: orderOf(draft.order),
  };
}

/** Which they are matters only where it is told of their changes. */
function isOfSomeTraits({ notices, noticeTraits }: SettingsDraft): boolean {
  return notices.includes('trait_changed') && noticeTraits.length > 0;
}

function orderOf({ afterwards, maxWaitSeconds, maxWaiting }: OrderDraft): Changes['order'] {
  if (afterwards === 'none') return null;
  return {
    by: 'person',
    afterwards,
    ...(maxWaitSeconds !== '' && { maxWaitSeconds: Number(maxWaitSeconds) }),
    ...(maxWaiting !== '' && { maxWaiting: Number(maxWaiting) }),
  };
}
