import { RangeEnd, RangeStart } from '../../platform/http/input/instant';
import { OptionalId, OptionalText } from '../../platform/http/input/optional-members';
import { ListQueryDto } from '../../platform/http/resources/page';
import { lowestId } from '../partitions/partition-plan';
import { anonymousSubject, userSubject } from '../subject';
import type { UnstoredSearch } from './unstored-search';

/** Which events to list that were rejected, or are kept apart. */
export class UnstoredEventsQueryDto extends ListQueryDto {
  @OptionalId()
  sourceId?: string;

  @OptionalText(1, 100, { example: 'missing_event_name', description: 'One of the things that are wrong.' })
  code?: string;

  @OptionalText(1, 1_024, { description: 'Of a track, page or screen.' })
  name?: string;

  @OptionalText(1, 1_024)
  messageId?: string;

  @OptionalText(1, 1_024)
  userId?: string;

  @OptionalText(1, 1_024)
  anonymousId?: string;

  @RangeStart('Received at this time or later.')
  from?: string;

  @RangeEnd('Received before this time.')
  to?: string;
}

type Asked = Omit<UnstoredEventsQueryDto, 'limit'> & { readonly type?: string };

/** What a query asks for, in the words of the tables. */
export function unstoredSearchOf({ userId, anonymousId, from, to, cursor, ...query }: Asked): UnstoredSearch {
  const { sourceId, code, type, name, messageId } = query;
  const subjects = [
    ...(userId === undefined ? [] : [userSubject(userId)]),
    ...(anonymousId === undefined ? [] : [anonymousSubject(anonymousId)]),
  ];
  return {
    sourceId,
    code,
    type,
    name,
    messageId,
    subjects: subjects.length === 0 ? undefined : subjects,
    fromId: from === undefined ? undefined : lowestId(Date.parse(from)),
    beforeId: cursor ?? (to === undefined ? undefined : lowestId(Date.parse(to))),
  };
}
