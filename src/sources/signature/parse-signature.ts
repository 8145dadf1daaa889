import { isMask, maskSecret } from '../../platform/secrets/mask-secret';
import { InvalidRequestError, type ProblemDetail } from '../../platform/http/problems/problem';
import { keyOfSecret, SCHEMES, type Signature } from './signature';
import { DEFAULT_TOLERANCE_SECONDS, type SignatureDto } from './signature.dto';

const OF_HMAC = ['header', 'algorithm', 'encoding', 'prefix', 'timestampHeader'] as const;

/**
 * What a client says, complete.
 * @param present that of the source until now: its secrets stay where their masks are given
 * @throws InvalidRequestError
 */
export function parseSignature(given: SignatureDto, present: Signature | undefined): Signature {
  const secrets = given.secrets.map((secret, index) => unmasked(secret, index, present));
  const problems = [...misplaced(given), ...secrets.flatMap((secret, index) => bad(given, secret, index))];
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const { scheme, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = given;
  return { scheme, toleranceSeconds, hmac: hmacOf(given), secrets };
}

/** As answers have it. */
export function maskedSignature({ scheme, toleranceSeconds, hmac, secrets }: Signature): SignatureDto {
  const { timestampHeader, ...others } = hmac ?? { timestampHeader: null };
  return {
    scheme,
    secrets: secrets.map(maskSecret),
    ...(!SCHEMES[scheme].signsTime || (hmac !== null && timestampHeader === null)
      ? {}
      : { toleranceSeconds }),
    ...others,
    ...(timestampHeader === null ? {} : { timestampHeader }),
  };
}

function hmacOf({ scheme, ...given }: SignatureDto): Signature['hmac'] {
  const { header, algorithm = 'sha256', encoding = 'hex', prefix = '', timestampHeader = null } = given;
  if (scheme !== 'hmac' || header === undefined) return null;
  return {
    header: header.toLowerCase(),
    algorithm,
    encoding,
    prefix,
    timestampHeader: timestampHeader?.toLowerCase() ?? null,
  };
}

/** Masks may be alike: the secret that stood in the same place comes first. */
function unmasked(secret: string, index: number, present: Signature | undefined): string {
  if (present === undefined || !isMask(secret)) return secret;
  const known = [...present.secrets.slice(index, index + 1), ...present.secrets];
  return known.find((one) => maskSecret(one) === secret) ?? secret;
}

function misplaced(given: SignatureDto): ProblemDetail[] {
  const { scheme } = given;
  if (scheme === 'hmac') {
    return given.header === undefined
      ? [problem('header', 'is_defined', 'is needed for the scheme hmac')]
      : [];
  }
  const foreign = OF_HMAC.filter((name) => given[name] !== undefined);
  const timed = !SCHEMES[scheme].signsTime && given.toleranceSeconds !== undefined;
  return [...foreign, ...(timed ? ['toleranceSeconds'] : [])].map((name) =>
    problem(name, 'not_of_scheme', `has no meaning for the scheme ${scheme}`),
  );
}

function bad({ scheme }: SignatureDto, secret: string, index: number): ProblemDetail[] {
  const path = `secrets[${index}]`;
  if (isMask(secret)) {
    return [problem(path, 'masked_secret', 'is the mask of another secret: give the secret itself')];
  }
  const isKey = scheme !== 'standard-webhooks' || /^(?:whsec_)?[A-Za-z0-9+/_-]+={0,2}$/.test(secret);
  if (isKey && keyOfSecret(scheme, secret).length > 0) return [];
  return [problem(path, 'invalid_secret', 'must be Base64, with or without whsec_ in front of it')];
}

function problem(name: string, code: string, what: string): ProblemDetail {
  const path = `signature.${name}`;
  return { path, code, message: `${path} ${what}` };
}
