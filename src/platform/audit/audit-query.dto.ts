import { RangeEnd, RangeStart } from '../http/input/instant';
import { OptionalOneOf, OptionalText } from '../http/input/optional-members';
import { ListQueryDto } from '../http/resources/page';
import {
  AUDITED_ACTIONS,
  AUDITED_RESOURCES,
  type AuditedChange,
  type AuditedResource,
} from './audited-actions';

/** Which entries of the audit to show. */
export class AuditQueryDto extends ListQueryDto {
  @OptionalOneOf(AUDITED_RESOURCES, { description: 'A kind of thing.' })
  resource?: AuditedResource;

  @OptionalText(1, 500, { description: 'What was changed: its id, or the pseudonym of a person.' })
  resourceId?: string;

  @OptionalOneOf(AUDITED_ACTIONS, { description: 'What was done. Not every kind of thing has every action.' })
  action?: AuditedChange['action'];

  @OptionalText(1, 500, { description: 'The subject of a token, for example `ada@example.com`.' })
  actor?: string;

  @RangeStart('Changed at this time or later.')
  from?: string;

  @RangeEnd('Changed before this time.')
  to?: string;
}
