import { Alert, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem-error';
import { Place } from './place';
import { problemWords } from './problem-words';

/** What went wrong, in the words of the service, with each member that is wrong and what its log knows it by. */
export function ProblemAlert({ error }: { readonly error: unknown }): ReactNode {
  const { message, code, details, requestId } = ProblemError.of(error);
  return (
    <Alert color="red" variant="outline" role="alert" title="This did not work" w="100%">
      {!isToldBy(details, message) && <Text size="sm">{message}</Text>}
      {details.length > 0 && (
        <List size="sm" my="xs">
          {details.map((detail) => (
            <List.Item key={`${detail.path} ${detail.message}`}>
              <Place path={detail.path} /> {problemWords(detail)}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="xs" mt="xs">
        {code}
        {requestId !== undefined && `, request ${requestId}`}
      </Text>
    </Alert>
  );
}

/** Whether a message only sums up the details, as that of a request does which is not valid. */
function isToldBy(details: ProblemError['details'], message: string): boolean {
  return details.length > 0 && details.every((detail) => message.includes(detail.message));
}
