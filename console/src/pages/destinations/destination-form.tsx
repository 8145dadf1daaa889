import { Paper, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FieldProblems } from '../../shared/field-problems';
import { PlacesInWords } from '../../shared/place-words';
import { DestinationFields, type DestinationFieldsProps } from './destination-fields';
import { destinationPlaceWords } from './field-labels';

interface DestinationFormProps extends DestinationFieldsProps {
  readonly label: string;
  /** Why the service did not take what is written; null as long as it did not say so. */
  readonly error: unknown;
  readonly onSubmit: (event: FormEvent) => void;
  /** What is asked for first. */
  readonly first?: ReactNode;
  /** The end of the form. */
  readonly children: ReactNode;
}

/** A form that writes a destination: what is wrong is said at its fields, and by their labels. */
export function DestinationForm({
  label,
  error,
  onSubmit,
  first,
  children,
  ...fields
}: DestinationFormProps): ReactNode {
  const schema = fields.connector?.configSchema ?? {};
  return (
    <Paper component="form" withBorder p="md" maw={960} aria-label={label} onSubmit={onSubmit}>
      <PlacesInWords words={(path) => destinationPlaceWords(path, schema, fields.draft.filter)}>
        <Stack>
          {first}
          <FieldProblems error={error}>
            <DestinationFields {...fields} />
          </FieldProblems>
          {children}
        </Stack>
      </PlacesInWords>
    </Paper>
  );
}
