import { OptionalFlag, OptionalOneOf } from '../../platform/http/input/optional-members';

export const DOCUMENT_FORMATS = ['json', 'yaml'] as const;

/** How a document is applied. */
export class ApplyQueryDto {
  @OptionalFlag('Only says what would change.')
  dryRun?: boolean;

  @OptionalFlag(
    'Deletes what the lists of the document do not hold. A list that is left out deletes nothing.',
  )
  prune?: boolean;
}

/** How the document is written. */
export class ExportQueryDto {
  @OptionalOneOf(DOCUMENT_FORMATS, { default: 'json' })
  format?: (typeof DOCUMENT_FORMATS)[number];
}
