import type { Dto } from '../../api/client';
import { isOfHookRequest } from './rejected-hook-request';

/** What a rejected event is called, as far as it can be made out. */
export function rejectedName(rejected: Dto['RejectedEventDto']): string {
  if (isOfHookRequest(rejected)) return 'Request of a webhook';
  return rejected.name ?? rejected.type ?? 'Unknown';
}
