import type { Dto } from '../../api/client';

type Signature = Dto['SignatureDto'];
type Scheme = Signature['scheme'];

/** What is said of a webhook, as a form has it. */
export interface WebhookDraft {
  readonly untransformed: Dto['SourceDto']['untransformed'];
  readonly scheme: Scheme | '';
  /** One a line. */
  readonly secrets: string;
  readonly header: string;
  readonly algorithm: NonNullable<Signature['algorithm']>;
  readonly encoding: NonNullable<Signature['encoding']>;
  readonly prefix: string;
  readonly timestampHeader: string;
}

export const NEW_WEBHOOK: WebhookDraft = {
  untransformed: 'keep',
  scheme: '',
  secrets: '',
  header: '',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  timestampHeader: '',
};

/** With masks for the secrets, which keep them. */
export function draftOf({
  untransformed,
  signature,
}: Pick<Dto['SourceDto'], 'untransformed' | 'signature'>): WebhookDraft {
  if (signature === null) return { ...NEW_WEBHOOK, untransformed };
  const { scheme, secrets, header = '', algorithm = 'sha256', encoding = 'hex' } = signature;
  const { prefix = '', timestampHeader = '' } = signature;
  const lines = secrets.join('\n');
  return { untransformed, scheme, secrets: lines, header, algorithm, encoding, prefix, timestampHeader };
}

/**
 * As the API takes it.
 * @param toleranceSeconds of the signature that is there, which no form shows
 */
export function bodyOfDraft(
  { untransformed, scheme, ...draft }: WebhookDraft,
  toleranceSeconds?: number,
): Pick<Dto['CreateSourceDto'], 'untransformed' | 'signature'> {
  if (scheme === '') return { untransformed, signature: null };
  const secrets = draft.secrets
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const { header, algorithm, encoding, prefix, timestampHeader } = draft;
  const time = timestampHeader === '' ? {} : { timestampHeader };
  const hmac = scheme === 'hmac' ? { header, algorithm, encoding, prefix, ...time } : {};
  const tolerance = toleranceSeconds === undefined ? {} : { toleranceSeconds };
  return { untransformed, signature: { scheme, secrets, ...hmac, ...tolerance } };
}
