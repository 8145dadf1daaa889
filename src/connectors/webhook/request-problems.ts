import type { ProblemDetail } from '../../platform/http/problems/problem';
import { batchProblems } from './batch-problems';
import { mistakeInHeaderName, mistakeInHeaderValue } from './header-rules';
import { pathTemplateProblems } from './path-template';
import { SIGNATURE_HEADER } from './signature-headers';
import { tlsProblems } from './tls-problems';
import { authHeader, authProblems } from './webhook-auth';
import { MAX_HEADERS, type WebhookConfig } from './webhook-config';

/** What is wrong with what an operator wants requests to be like; paths are relative to the config. */
export function requestProblems(config: WebhookConfig): ProblemDetail[] {
  const { url, headers = {}, auth, signatureHeader, tls, batch } = config;
  const problems = [
    ...headersProblems(headers),
    ...(auth === undefined ? [] : authProblems({ ...auth })),
    ...pathTemplateProblems(url),
    ...signatureHeaderProblems(signatureHeader),
    ...(tls === undefined ? [] : tlsProblems({ ...tls }, url)),
    ...(batch === undefined ? [] : batchProblems({ ...batch }, url)),
  ];
  return problems.length > 0 ? problems : sentTwice(config);
}

function headersProblems(headers: Readonly<Record<string, unknown>>): ProblemDetail[] {
  const given = Object.entries(headers);
  const message = `headers must have at most ${MAX_HEADERS} members`;
  const tooMany = given.length > MAX_HEADERS ? [{ path: 'headers', code: 'too_many', message }] : [];
  const wrong = given.flatMap(([name, value]) => {
    const path = `headers.${name}`;
    const mistake = mistakeInHeaderName(name);
    if (mistake !== undefined) return [{ path, code: 'header_not_allowed', message: `${path} ${mistake}` }];
    const why = mistakeInHeaderValue(value);
    return why === undefined ? [] : [{ path, code: 'invalid_header', message: `${path} ${why}` }];
  });
  return [...tooMany, ...wrong];
}

function signatureHeaderProblems(name: string = SIGNATURE_HEADER): ProblemDetail[] {
  const path = 'signatureHeader';
  if (name.toLowerCase() === SIGNATURE_HEADER.toLowerCase()) return [];
  const isTaken = /^(?:authorization|cookie|user-agent)$/i.test(name);
  const mistake = isTaken ? 'has a meaning of its own' : mistakeInHeaderName(name);
  return mistake === undefined ? [] : [{ path, code: 'header_not_allowed', message: `${path} ${mistake}` }];
}

/** Names know no case. Told of each of those that share one, since one that stays is not judged again. */
function sentTwice({
  headers = {},
  auth,
  signatureHeader = SIGNATURE_HEADER,
}: WebhookConfig): ProblemDetail[] {
  const sent = [
    { path: 'signatureHeader', name: signatureHeader },
    ...Object.keys(headers).map((name) => ({ path: `headers.${name}`, name })),
    ...(auth === undefined ? [] : [{ path: 'auth', name: authHeader(auth)[0] }]),
  ].map(({ path, name }) => ({ path, name: name.toLowerCase() }));
  return sent
    .filter(({ name }) => sent.filter((other) => other.name === name).length > 1)
    .map(({ path, name }) => ({
      path,
      code: 'duplicate_header',
      message: `${path}: ${name} would be sent twice`,
    }));
}
