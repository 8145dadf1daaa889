import type { Dto } from '../../api/client';
import type { WaitsFor } from '../deliveries/waits-words';

/** What all that is pending for a destination waits for; undefined where it is sent. */
export function waitsOf({ state, reason }: Dto['DestinationHealthDto']): WaitsFor | undefined {
  switch (state) {
    case 'healthy':
      return undefined;
    case 'paused':
      return 'destination_paused';
    case 'disabled':
      return 'destination_disabled';
    case 'degraded':
      if (reason === 'many_failures') return undefined;
      if (reason === 'connector_not_installed' || reason === 'secrets_not_readable') return reason;
      return 'destination_down';
  }
}
