import { type ReactNode, useState } from 'react';
import type { Dto } from '../../api/client';
import { FieldProblems } from '../../shared/field-problems';
import { NamedForm } from '../../shared/named-form';
import { PlacesInWords } from '../../shared/place-words';
import { Section } from '../../shared/section';
import {
  missingInMeasure,
  NEW_MEASURE,
  readMeasure,
  writeMeasure,
} from '../../shared/segments/events/measure-draft';
import { MeasureFields } from '../../shared/segments/events/measure-fields';
import { memberWords } from '../../shared/segments/member-words';
import { useValuesPreview, ValuesPreview } from './values-preview';

type Trait = Dto['ComputedTraitDto'];
type Body = Dto['CreateComputedTraitDto'];

interface ComputedTraitFormProps {
  /** The computed trait that is changed; a new one without it. */
  readonly trait?: Trait;
  readonly action: string;
  readonly save: (body: Body) => Promise<Trait>;
  /** Fills the form with what it is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<unknown>;
}

/** The name of a value, and what it is made of. */
export function ComputedTraitForm({ trait, action, save, readAgain }: ComputedTraitFormProps): ReactNode {
  const [draft, setDraft] = useState(() => (trait && readMeasure({ ...trait })) ?? NEW_MEASURE);
  const measure = writeMeasure(draft);
  const preview = useValuesPreview(measure);
  const { query, isIncomplete, isOld } = preview;
  return (
    <PlacesInWords words={memberWords}>
      <NamedForm
        kind="computed-traits"
        thing={trait}
        placeholder="paid_in_three_months"
        nameDescription="A letter, and then letters, digits and underscores: rules ask about computed.<name>."
        action={action}
        written={draft}
        save={measure && ((named) => save({ ...named, ...measure } as Body))}
        readAgain={readAgain}
      >
        <Section title="What is counted">
          <FieldProblems error={isIncomplete || isOld ? null : query.error}>
            <MeasureFields measure={draft} path="" onChange={setDraft} />
          </FieldProblems>
        </Section>
        <Section title="Who would have a value">
          <ValuesPreview preview={preview} missing={missingInMeasure(draft)} />
        </Section>
      </NamedForm>
    </PlacesInWords>
  );
}
