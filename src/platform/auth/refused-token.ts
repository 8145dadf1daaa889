import { Logger } from '@nestjs/common';
import { errors } from 'jose';
import { ThrottledWarning } from '../logging/throttled-warning';

/** Why a token was refused: a closed set, since each reason has a line of its own in the log. */
type RefusalReason =
  | 'algorithm'
  | 'audience'
  | 'claims'
  | 'expired'
  | 'issuer'
  | 'key'
  | 'malformed'
  | 'signature'
  | 'subject'
  | 'type';

/** A token is broken, expired, or made for or by another party. The message never holds the token. */
export class InvalidTokenError extends Error {
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }

  /** What one of jose's errors says of the token. */
  static from(error: unknown): InvalidTokenError {
    if (error instanceof InvalidTokenError) return error;
    return new InvalidTokenError(reasonOf(error), detailOf(error));
  }
}

const MAX_DETAIL_LENGTH = 300;
const REASONS_OF_CLAIMS: Readonly<Record<string, RefusalReason>> = { iss: 'issuer', aud: 'audience' };

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return REASONS_OF_CLAIMS[error.claim] ?? 'claims';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported)
    return 'algorithm';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'key';
  return 'malformed';
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return 'refused';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return error.message;
  // Claims are checked after the signature, so the provider has made them.
  const value = ['iss', 'aud'].includes(error.claim) ? error.payload[error.claim] : undefined;
  const said = value === undefined ? '' : `: it is ${JSON.stringify(value).slice(0, MAX_DETAIL_LENGTH)}`;
  return `${error.message}${said}`;
}

/** Tells the operator why tokens are refused, since the caller is not told: one line per reason every ten seconds. */
export class RefusalLog {
  private readonly logger = new Logger('Tokens');
  private readonly warnings = new Map<RefusalReason, ThrottledWarning>();

  note({ reason, message }: InvalidTokenError): void {
    const warning = this.warnings.get(reason) ?? new ThrottledWarning(this.logger);
    this.warnings.set(reason, warning);
    warning.warn(`Token refused: ${message}`, { reason });
  }
}
