import { type ReactNode, useState } from 'react';
import type { Dto } from '../../api/client';
import { CodeTextarea } from '../../shared/code-textarea';
import { NamedForm } from '../../shared/named-form';
import { objectText, readObject } from '../../shared/read-object';
import { Section } from '../../shared/section';
import { InferPlan } from './infer-plan';
import { contentOf, NOTHING_ASKED } from './plan-content';
import { PlanPreview } from './plan-preview';

type Plan = Dto['TrackingPlanDto'];
type PlanBody = Dto['CreateTrackingPlanDto'];

interface PlanFormProps {
  /** The plan that is changed; a new one without it. */
  readonly plan?: Plan;
  readonly action: string;
  readonly save: (body: PlanBody) => Promise<Plan>;
  /** Fills the form with what the plan is now, where somebody else has changed it. */
  readonly readAgain?: () => Promise<unknown>;
}

/**
 * Name and rules of a tracking plan, to be tried before it is saved. What is wrong with the rules, the service says.
 */
export function PlanForm({ plan, action, save, readAgain }: PlanFormProps): ReactNode {
  const [text, setText] = useState(() => objectText(contentOf(plan)));
  const read = readObject(text);
  const content = read === 'no_object' ? undefined : { ...NOTHING_ASKED, ...read };
  return (
    <NamedForm
      kind="tracking-plans"
      thing={plan}
      placeholder="Shop"
      action={action}
      written={text}
      save={content && ((named) => save({ ...content, ...named }))}
      readAgain={readAgain}
    >
      {plan === undefined && (
        <Section title="Begin with what a source has sent">
          <InferPlan onInferred={(inferred) => setText(objectText(inferred))} />
        </Section>
      )}
      <CodeTextarea
        label="Rules as JSON"
        description="unplannedEvents, unplannedProperties and rules, as the API takes them."
        minRows={12}
        value={text}
        onChange={setText}
        error={content === undefined && 'This is no JSON object.'}
      />
      <Section title="What would have become of stored events">
        <PlanPreview content={content} />
      </Section>
    </NamedForm>
  );
}
