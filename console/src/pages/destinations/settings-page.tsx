import type { ReactNode } from 'react';
import { Answered } from '../../shared/answered';
import { ForWriters } from '../../shared/for-writers';
import { DestinationFrame } from './destination-frame';
import { SettingsForm } from './settings-form';
import { useConnectors } from './use-destination';

/** What can be changed of a destination. */
export function SettingsPage(): ReactNode {
  const connectors = useConnectors();
  return (
    <DestinationFrame part="settings">
      {(destination) => (
        <ForWriters>
          {' '}
          <Answered query={connectors}>
            {(installed) => (
              <SettingsForm
                destination={destination}
                connector={installed.find(({ id }) => id === destination.type)}
              />
            )}
          </Answered>
        </ForWriters>
      )}
    </DestinationFrame>
  );
}
