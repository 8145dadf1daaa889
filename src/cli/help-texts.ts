export const OF_FILES = `FILE is YAML or JSON, - is the standard input. --prune deletes what the lists of FILE do not hold.
References such as \${env:NAME} in FILE are replaced by variables of the environment.`;
export const OF_TRIALS = `Tracking plans of FILE that change are tried on the newest stored events of the sources that are to have them. FILE
may also hold one plan alone, as the API answers it. The trial: --source ID|NAME tries on this source instead, --plan NAME
tries this plan, --last N looks at N events (10000; with 0 nothing is tried), --fail-on observe|omit|quarantine|block.
plan exits with 0 when nothing would change, with 2 when something would, with 3 when an event would have met with the
action of --fail-on or one after it, and with 1 when it fails.`;
export const OF_IMPORTS = `FILE is JSON as the APIs of Segment or RudderStack answer it, or as Typewriter or RudderTyper write it; - is the standard
input. What could not be kept is written to the standard error. No service is asked.`;
export const OF_TYPES = `types takes a tracking plan from a document or a plan alone in FILE, or else from the service; --plan chooses one by
name, or by id. --language is typescript (without it, too), kotlin, swift, go, java, csharp, dart or python. --output FILE
writes into a file, for java into a folder. TypeScript has functions that let an SDK take what is planned, nothing else.`;
export const OF_FILTER = `The filter of tail: --outcome accepted|quarantined|rejected, --source ID, --type TYPE, --name NAME (* stands for any characters),
--user ID, --anonymous ID, --segment ID, --filter JSON (as a destination has it); all parts must hold.`;
export const OF_ENVIRONMENT = `Set CDP_URL to the address of the service (in development http://localhost:3000 without it) and CDP_TOKEN to a token
with the scope cdp:write, for tail, export, types and a plan alone cdp:read (in development: npm run -s token). A file .env
in the current folder is read as well.`;

export const NO_OTHER_TOKENS =
  'Other tokens come from your identity provider; in development npm run token prints one, with all scopes.';
