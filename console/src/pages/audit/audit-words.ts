import type { QueryOf } from '../../api/client';

type Query = QueryOf<'/audit'>;

/** The kinds of things that are changed. */
export const KINDS: Readonly<Record<NonNullable<Query['resource']>, string>> = {
  source: 'Source',
  tracking_plan: 'Tracking plan',
  transformation: 'Transformation',
  destination: 'Destination',
  computed_trait: 'Computed trait',
  segment: 'Segment',
  profile: 'Person',
  delivery: 'Delivery',
  quarantine: 'Quarantine',
  hook_request: 'Request of a webhook',
  configuration: 'Configuration',
  queue: 'Queue',
  token: 'Token',
};

/** What is done to them. */
export const ACTIONS: Readonly<Record<NonNullable<Query['action']>, string>> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  rotate_write_key: 'Rotated the write key',
  pause: 'Paused',
  resume: 'Resumed',
  rotate_secret: 'Rotated the secret',
  test: 'Tested',
  disable: 'Disabled',
  retry_deliveries: 'Retried pending deliveries',
  discard_dead_letters: 'Discarded dead letters',
  replay_events: 'Replayed events',
  replay_dead_letters: 'Replayed dead letters',
  cancel_replay: 'Cancelled a replay',
  erase: 'Erased',
  export: 'Exported',
  lift_suppression: 'Lifted the suppression',
  retry: 'Retried',
  replay: 'Replayed',
  discard: 'Discarded',
  release: 'Released',
  run: 'Ran again',
  apply: 'Applied',
  pause_all: 'Paused all',
  resume_all: 'Resumed all',
  empty: 'Emptied',
  obliterate: 'Obliterated',
  retry_jobs: 'Retried jobs',
  promote_jobs: 'Promoted jobs',
  remove_jobs: 'Removed jobs',
  set_concurrency: 'Set the concurrency',
  set_rate_limit: 'Set the rate limit',
  release_rate_limit: 'Lifted the rate limit',
  retry_job: 'Retried a job',
  remove_job: 'Removed a job',
  promote_job: 'Promoted a job',
  remove_children: 'Removed the children of a job',
  set_delay: 'Set the delay of a job',
  set_priority: 'Set the priority of a job',
  use_bootstrap_token: 'First used',
};

/** An entry may be of a release that did other things. */
export function actionInWords(action: string): string {
  return (ACTIONS as Readonly<Record<string, string>>)[action] ?? action;
}
