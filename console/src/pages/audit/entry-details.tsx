import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { JsonView } from '../../shared/json-view';

/** A button, and behind it what was before a change and after it. */
export function EntryDetails({ entry }: { readonly entry: Dto['AuditEntryDto'] }): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  const { action, resource, resourceId, before, after, requestId, actorIssuer } = entry;
  const title = `${action} ${resource} ${resourceId}`;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open} aria-label={`Show: ${title}`}>
        Show
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        size="xl"
        title={title}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Text size="sm">
            Request {requestId}
            {actorIssuer !== null && `, vouched for by ${actorIssuer}`}
          </Text>
          {before !== null && <JsonView name="Before" value={before} />}
          {after !== null && <JsonView name="After" value={after} />}
          {before === null && after === null && <Text>Nothing else is noted.</Text>}
        </Stack>
      </Modal>
    </>
  );
}
