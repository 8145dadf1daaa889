import type { Dto } from '../../api/client';

/** Whether most of what a source has sent was rejected: then its events are lost, unless their senders keep them. */
export function isMostlyRejected({ accepted, rejected, quarantined }: Dto['SourceTotalsDto']): boolean {
  return rejected > accepted + quarantined;
}
