import { VARIABLE_NAMES } from './variables';

/** Of the `cdp` client and of deploy/haproxy, which may share an environment with the service. */
const OF_OTHERS = new Set(['CDP_URL', 'CDP_TOKEN', 'CDP_LISTEN', 'CDP_WORKSPACES_MAP']);
/** Of the tests; and what Kubernetes and Docker make up for services that are called cdp-…. */
const MADE_BY_OTHERS = /^CDP_(TEST|FUZZ)_|_SERVICE_(HOST|PORT)|_PORT(_\d+_(TCP|UDP).*)?$/;

/** A sentence for each variable that has the prefix of ours and is none: mistyped, it would be without effect. */
export function unknownAmong(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(given)
    .filter((name) => name.startsWith('CDP_') && !isKnown(name))
    .map((name) => `${name} is set, but there is no such variable: .env.example lists all.`);
}

function isKnown(name: string): boolean {
  return VARIABLE_NAMES.includes(name) || OF_OTHERS.has(name) || MADE_BY_OTHERS.test(name);
}
