import { OptionalOneOf, OptionalText } from '../http/input/optional-members';
import { ListQueryDto } from '../http/resources/page';
import { AUDITED_RESOURCES, type AuditedResource } from './audited-actions';

/** Which entries of the audit to show. */
export class AuditQueryDto extends ListQueryDto {
  @OptionalOneOf(AUDITED_RESOURCES, { description: 'A kind of thing.' })
  resource?: AuditedResource;

  @OptionalText(1, 500)
  resourceId?: string;

  @OptionalText(1, 500, { description: 'The subject of a token, for example `ada@example.com`.' })
  actor?: string;
}
