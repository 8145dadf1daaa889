import type { Dto } from '../../api/client';

type Signature = Dto['SignatureDto'];
type Scheme = Signature['scheme'];

/** What is said of a webhook, as a form has it. */
export interface WebhookDraft {
  /** Empty is none. */
  readonly transformationId: string;
  readonly untransformed: Dto['SourceDto']['untransformed'];
  readonly scheme: Scheme | '';
  /** One a line. */
  readonly secrets: string;
  readonly header: string;
  readonly algorithm: NonNullable<Signature['algorithm']>;
  readonly encoding: NonNullable<Signature['encoding']>;
  readonly prefix: string;
  readonly timestampHeader: string;
  readonly toleranceSeconds: string;
}

export const SCHEMES: Readonly<Record<Scheme, { readonly label: string; readonly signsTime: boolean }>> = {
  github: { label: 'GitHub', signsTime: false },
  stripe: { label: 'Stripe', signsTime: true },
  shopify: { label: 'Shopify', signsTime: false },
  slack: { label: 'Slack', signsTime: true },
  'standard-webhooks': { label: 'Standard Webhooks, Svix', signsTime: true },
  hmac: { label: 'Another HMAC', signsTime: true },
};

/** Whether a time is signed with the request. */
export function signsTime({ scheme, timestampHeader }: WebhookDraft): boolean {
  if (scheme === 'hmac') return timestampHeader !== '';
  return scheme !== '' && SCHEMES[scheme].signsTime;
}

export const NEW_WEBHOOK: WebhookDraft = {
  transformationId: '',
  untransformed: 'keep',
  scheme: '',
  secrets: '',
  header: '',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  timestampHeader: '',
  toleranceSeconds: '300',
};

/** With masks for the secrets, which keep them. */
export function draftOf({
  untransformed,
  transformationId,
  signature,
}: Pick<Dto['SourceDto'], 'untransformed' | 'transformationId' | 'signature'>): WebhookDraft {
  const meaning = { untransformed, transformationId: transformationId ?? '' };
  if (signature === null) return { ...NEW_WEBHOOK, ...meaning };
  const { scheme, secrets, header = '', algorithm = 'sha256', encoding = 'hex' } = signature;
  const { prefix = '', timestampHeader = '', toleranceSeconds = NEW_WEBHOOK.toleranceSeconds } = signature;
  const lines = secrets.join('\n');
  return {
    ...meaning,
    scheme,
    secrets: lines,
    header,
    algorithm,
    encoding,
    prefix,
    timestampHeader,
    toleranceSeconds: String(toleranceSeconds),
  };
}

/** As the API takes it. */
export function bodyOfDraft(
  draft: WebhookDraft,
): Pick<Dto['CreateSourceDto'], 'untransformed' | 'transformationId' | 'signature'> {
  const { untransformed, transformationId, scheme } = draft;
  const meaning = { untransformed, transformationId: transformationId === '' ? null : transformationId };
  if (scheme === '') return { ...meaning, signature: null };
  const secrets = draft.secrets
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const { header, algorithm, encoding, prefix, timestampHeader } = draft;
  const time = timestampHeader === '' ? {} : { timestampHeader };
  const hmac = scheme === 'hmac' ? { header, algorithm, encoding, prefix, ...time } : {};
  const tolerance = signsTime(draft) ? { toleranceSeconds: Number(draft.toleranceSeconds) } : {};
  return { ...meaning, signature: { scheme, secrets, ...hmac, ...tolerance } };
}
