import type { Dto } from '../../api/client';

type Heard = Pick<Dto['HeardSourceDto'], 'silentAfterMinutes' | 'lastEventAt'>;

const MINUTE_MS = 60_000;

/** Whether a source has sent nothing for as long as operators are told of. */
export function isSilent({ silentAfterMinutes, lastEventAt }: Heard, nowMs: number): boolean {
  if (silentAfterMinutes === null || lastEventAt === null) return false;
  return nowMs - Date.parse(lastEventAt) > silentAfterMinutes * MINUTE_MS;
}
