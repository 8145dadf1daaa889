/** What the fields of a source are called, by where the service finds what they write. */
export const LABELS = {
  name: 'Name',
  description: 'Description',
  kind: 'Kind',
  transformationId: 'Transformation',
  untransformed: 'Requests',
  'signature.scheme': 'Signature',
  'signature.secrets': 'Secrets',
  'signature.header': 'Header of the signature',
  'signature.prefix': 'In front of it',
  'signature.algorithm': 'Algorithm',
  'signature.encoding': 'Encoding',
  'signature.timestampHeader': 'Header of the time',
  'signature.toleranceSeconds': 'Seconds from now',
  silentAfterMinutes: 'Minutes without an event',
} as const;

/** `signature.secrets[0]` is `Secrets, number 1`. Undefined where there is no field for it. */
export function sourcePlaceWords(path: string): string | undefined {
  const [, field = '', index] = /^([\w.]+)(?:\[(\d+)\])?$/.exec(path) ?? [];
  if (!isLabelled(field)) return undefined;
  return index === undefined ? LABELS[field] : `${LABELS[field]}, number ${Number(index) + 1}`;
}

function isLabelled(field: string): field is keyof typeof LABELS {
  return Object.hasOwn(LABELS, field);
}
