import type { JsonValue } from '../events/customer-event';

const MASK = '****';
/** Shorter ones would be found everywhere: `X-Environment: 1` must not turn each `1` of a body into a mask. */
const MIN_FOUND_CHARACTERS = 4;
/** Whatever stands in these proves who sends; the first word is only how. */
const PROOF_HEADERS = /^(?:proxy-)?authorization$|^cookie$/i;
/** What may be Base64, in either alphabet, of which a part may be a secret. */
const BASE64 = /[A-Za-z0-9+/_-]{4,}={0,2}/g;

/**
 * Hides secrets in what people see of a request: as they are, and as they are written in URLs, JSON, HTML and Base64.
 */
export class SecretMask {
  private readonly all: ReadonlySet<string>;
  private readonly secrets: readonly string[];
  private readonly spellings: readonly string[];

  /** @param secrets values of a connector's secret members */
  constructor(secrets: readonly JsonValue[]) {
    this.all = new Set(secrets.flatMap(textsIn).filter((text) => text !== ''));
    this.secrets = [...this.all].filter(({ length }) => length >= MIN_FOUND_CHARACTERS);
    this.spellings = this.secrets
      .flatMap(spellingsOf)
      // One that is a part of another must not leave the rest of it.
      .toSorted((one, other) => other.length - one.length);
  }

  /** Characters of a secret in the longest way of writing it. */
  get longest(): number {
    return this.spellings[0]?.length ?? 0;
  }

  text(text: string): string {
    // Most answers are short, and there are thousands a second.
    if (text.length < this.shortest) return text;
    const masked = this.spellings.reduce((rest, spelling) => rest.replaceAll(spelling, MASK), text);
    return masked.replaceAll(BASE64, (word) => (this.isInBase64(word) ? MASK : word));
  }

  header(name: string, value: string): string {
    if (this.all.has(value)) return MASK;
    return PROOF_HEADERS.test(name) ? value.replace(/^(\w+ )?[^]*/, `$1${MASK}`) : this.text(value);
  }

  private get shortest(): number {
    return this.spellings.at(-1)?.length ?? Infinity;
  }

  private isInBase64(word: string): boolean {
    if (word.length < this.shortest) return false;
    const bytes = Buffer.from(word, 'base64');
    return this.secrets.some((secret) => bytes.includes(secret));
  }
}

/**
 * Also as a header is read by who takes its Latin-1 for UTF-8, and by JSON writers that escape `/` or all but ASCII.
 */
function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const written = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret, 'latin1').toString('utf8'),
    ...[json, ascii].flatMap((text) => [text, text.replaceAll('/', String.raw`\/`)]),
    ...["'", '&#39;', '&#x27;', '&#039;'].map((quote) => html.replaceAll("'", quote)),
  ];
  return [...new Set(written)];
}

function textsIn(value: JsonValue): string[] {
  if (value === null || typeof value === 'boolean') return [];
  return typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [String(value)];
}
