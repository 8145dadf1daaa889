import { OptionalText } from '../http/optional-members';
import { ListQueryDto } from '../http/page';

/** Which entries of the audit to show. */
export class AuditQueryDto extends ListQueryDto {
  @OptionalText(1, 100, { description: 'A kind of thing, for example `destination`.' })
  resource?: string;

  @OptionalText(1, 500)
  resourceId?: string;

  @OptionalText(1, 500, { description: 'The subject of a token, for example `ada@example.com`.' })
  actor?: string;
}
