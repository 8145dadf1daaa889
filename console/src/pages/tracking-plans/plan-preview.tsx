import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import type { Column } from '../../shared/data-table';
import { howMany } from '../../shared/how-many';
import { LongTable } from '../../shared/long-table';
import { ToAside } from '../../shared/to';
import { LookedAt, type LookBack, LookingBack } from './looking-back';

type Preview = Dto['PlanPreviewDto'];
type Kind = Preview['violations'][number];

/** What would have become of stored events under a plan as it is written; undefined while it is no JSON. */
export function PlanPreview({ content }: { readonly content: object | undefined }): ReactNode {
  const look =
    content &&
    ((back: LookBack): Promise<Preview> =>
      bodyOf(api.POST('/tracking-plans/preview', { body: { ...back, plan: { ...content } } })));
  return (
    <LookingBack action="Try it on its events" tried={content} look={look}>
      {(preview) => <Previewed preview={preview} />}
    </LookingBack>
  );
}

const OUTCOMES: Readonly<Record<keyof Preview['outcomes'], string>> = {
  pass: 'pass',
  observe: 'would be accepted with a warning',
  omit: 'would lose what is wrong',
  quarantine: 'would be quarantined',
  block: 'would be rejected',
};

function Previewed({ preview }: { readonly preview: Preview }): ReactNode {
  const { events, outcomes, violations } = preview;
  return (
    <>
      <LookedAt looked={preview}>
        Of {howMany(events, 'event')} {outcomesInWords(outcomes)}.
      </LookedAt>
      {violations.length > 0 && (
        <LongTable
          label="In what events would differ"
          columns={COLUMNS}
          rows={violations}
          rowKey={({ rule, path, code, keyword, message }) =>
            JSON.stringify([rule, path, code, keyword, message])
          }
          empty=""
        />
      )}
    </>
  );
}

function outcomesInWords(outcomes: Preview['outcomes']): string {
  return (Object.keys(OUTCOMES) as (keyof Preview['outcomes'])[])
    .filter((outcome) => outcome === 'pass' || outcomes[outcome] > 0)
    .map((outcome) => `${outcomes[outcome].toLocaleString()} ${OUTCOMES[outcome]}`)
    .join(', ');
}

const COLUMNS: readonly Column<Kind>[] = [
  { title: 'Rule', breaks: true, cell: ({ rule }) => rule },
  { title: 'Member', cell: ({ path }) => (path === '' ? 'the whole event' : <Code>{path}</Code>) },
  { title: 'What is wrong', cell: ({ message }) => message },
  { title: 'Events', cell: ({ events }) => events.toLocaleString(), align: 'right' },
  { title: 'Such as', cell: ({ examples }) => <Examples examples={examples} /> },
];

/** Beside the form: what is written in it stays. */
function Examples({ examples }: Pick<Kind, 'examples'>): ReactNode {
  return examples.map(({ eventId, messageId }, index) => (
    <span key={eventId}>
      {index > 0 && ', '}
      <ToAside href={`/events/${eventId}`}>{messageId}</ToAside>
    </span>
  ));
}
