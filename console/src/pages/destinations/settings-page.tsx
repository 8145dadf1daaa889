import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { Editing } from '../../shared/editing';
import { ForWriters } from '../../shared/for-writers';
import { DestinationFrame } from './destination-frame';
import { SettingsForm } from './settings-form';
import { useConnectors, useDestination } from './use-destination';

/** What can be changed of a destination. */
export function SettingsPage(): ReactNode {
  return (
    <DestinationFrame part="settings">
      {(destination) => (
        <ForWriters>
          <Settings destination={destination} />
        </ForWriters>
      )}
    </DestinationFrame>
  );
}

function Settings({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const { refetch } = useDestination(destination.id);
  return (
    <Answered query={useConnectors()}>
      {(installed) => (
        <Editing refetch={refetch}>
          {(edited) => (
            <SettingsForm edited={edited} connector={installed.find(({ id }) => id === edited.read.type)} />
          )}
        </Editing>
      )}
    </Answered>
  );
}
