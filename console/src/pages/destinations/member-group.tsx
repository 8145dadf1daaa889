import { Fieldset, Input, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProblemAt } from '../../shared/field-problems';
import { markOf } from '../../shared/show-first-problem';
import type { MemberFieldProps } from './schema-form';

interface MemberGroupProps extends Pick<MemberFieldProps, 'label' | 'description' | 'path'> {
  readonly gap?: 'xs';
  readonly children: ReactNode;
}

/** The fields of a member that has members of its own, and what is wrong with it as a whole. */
export function MemberGroup({ label, description, path, gap, children }: MemberGroupProps): ReactNode {
  const problem = useProblemAt(path);
  return (
    <Fieldset legend={label} {...markOf(problem)}>
      <Stack gap={gap}>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
        {problem !== undefined && <Input.Error>{problem}</Input.Error>}
        {children}
      </Stack>
    </Fieldset>
  );
}
