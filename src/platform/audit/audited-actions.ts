/**
 * All that the audit has entries of, by the kind of thing. True where it changes what is configured, of which
 * destinations are told that ask for the notice `configuration_changed`; not where it is something else, such as a test
 * or a replay.
 */
const AUDITED = {
  source: { create: true, update: true, delete: true, rotate_write_key: true },
  tracking_plan: { create: true, update: true, delete: true },
  transformation: { create: true, update: true, delete: true },
  destination: {
    create: true,
    update: true,
    delete: true,
    pause: true,
    resume: true,
    rotate_secret: true,
    test: false,
    // By the service itself, which has a notice of its own for it.
    disable: false,
    retry_deliveries: false,
    discard_dead_letters: false,
    replay_events: false,
    replay_dead_letters: false,
    cancel_replay: false,
  },
  computed_trait: { create: true, update: true, delete: true },
  segment: { create: true, update: true, delete: true },
  profile: { erase: false, export: false, lift_suppression: false },
  delivery: { retry: false, replay: false, discard: false },
  quarantine: { release: false, discard: false },
  hook_request: { run: false, discard: false },
  // What it changes has entries of its own.
  configuration: { apply: false },
  queue: {
    pause_all: false,
    resume_all: false,
    pause: false,
    resume: false,
    empty: false,
    obliterate: false,
    retry_jobs: false,
    promote_jobs: false,
    remove_jobs: false,
    set_concurrency: false,
    set_rate_limit: false,
    release_rate_limit: false,
    retry_job: false,
    remove_job: false,
    promote_job: false,
    remove_children: false,
    set_delay: false,
    set_priority: false,
  },
  token: { use_bootstrap_token: false },
} as const satisfies Readonly<Record<string, Readonly<Record<string, boolean>>>>;

type Audited = typeof AUDITED;

/** A kind of thing in the audit. */
export type AuditedResource = keyof Audited;

/** What is done to a kind of thing. */
export type AuditedAction<Resource extends AuditedResource> = keyof Audited[Resource];

/** Something that is done to some kind of thing. */
export type AuditedChange = {
  [Resource in AuditedResource]: { readonly resource: Resource; readonly action: AuditedAction<Resource> };
}[AuditedResource];

export const AUDITED_RESOURCES = Object.keys(AUDITED) as AuditedResource[];

/** Each once, whatever kinds of things it is done to. */
export const AUDITED_ACTIONS = [
  ...new Set(Object.values(AUDITED).flatMap((actions) => Object.keys(actions))),
] as AuditedChange['action'][];

/** Whether things of this kind have a name: those that operators create. */
export function isNamed(resource: AuditedResource): boolean {
  return 'create' in AUDITED[resource];
}

/** Whether an entry says that what is configured was changed. Entries may be those of another release. */
export function changesConfiguration(resource: string, action: string): boolean {
  const actions: Readonly<Record<string, boolean>> | undefined = (
    AUDITED as Readonly<Record<string, Readonly<Record<string, boolean>>>>
  )[resource];
  return actions?.[action] === true;
}
