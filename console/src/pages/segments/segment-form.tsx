import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Dto } from '../../api/client';
import { FieldProblems } from '../../shared/field-problems';
import { NamedForm } from '../../shared/named-form';
import { PlacesInWords } from '../../shared/place-words';
import { Section } from '../../shared/section';
import { definitionOf, draftOf, missingIn, placeInRules, RulesEditor } from './rules/rules-editor';
import type { Definition } from './rules/write-rules';
import { RulesPreview, useRulesPreview } from './rules-preview';

/** What an operator says of a segment. */
type SegmentBody = Dto['CreateSegmentDto'];

interface SegmentFormProps {
  /** The segment that is changed; a new one without it. */
  readonly segment?: Dto['SegmentDto'];
  readonly action: string;
  readonly save: (body: SegmentBody) => Promise<Dto['SegmentDto']>;
  /** Fills the form with what the segment is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<unknown>;
}

/** Name and rules of a segment, with a count that follows the rules. */
export function SegmentForm({ segment, action, save, readAgain }: SegmentFormProps): ReactNode {
  const [announceFirst, setAnnounceFirst] = useState(segment?.announceFirst ?? false);
  const [draft, setDraft] = useState(() => draftOf(segment as Definition | undefined));
  const definition = definitionOf(draft);
  const preview = useRulesPreview(definition);
  const { query, isIncomplete, isOld } = preview;
  return (
    <PlacesInWords words={(path) => placeInRules(path, draft)}>
      <NamedForm
        kind="segments"
        thing={segment}
        placeholder="Regular customers"
        action={action}
        written={[definition ?? draft, announceFirst]}
        save={definition && ((named) => save({ ...named, announceFirst, ...definition } as SegmentBody))}
        readAgain={readAgain}
      >
        <Section title="Rules">
          <FieldProblems error={isIncomplete || isOld ? null : query.error}>
            <RulesEditor draft={draft} onChange={setDraft} />
          </FieldProblems>
        </Section>
        <Section title="Who would be in it">
          <RulesPreview preview={preview} missing={missingIn(draft)} />
        </Section>
        <Checkbox
          label="Those who are in it from the start count as having entered, and destinations are told"
          checked={announceFirst}
          onChange={({ currentTarget }) => setAnnounceFirst(currentTarget.checked)}
        />
      </NamedForm>
    </PlacesInWords>
  );
}
