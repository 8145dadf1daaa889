import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import type { Column } from '../data-table';
import { LongTable } from '../long-table';
import { Time } from '../time';

type Try = Dto['DeliveryAttemptDto'];

/** More of them are asked for. */
const FIRST_TRIES = 3;

/** Each try of a delivery, newest first: when, what was answered, and how long that took. */
export function Tries({ tries }: { readonly tries: readonly Try[] }): ReactNode {
  return (
    <LongTable
      label="Tries"
      first={FIRST_TRIES}
      columns={COLUMNS}
      rows={tries.toReversed()}
      rowKey={({ startedAt, attempt }) => `${startedAt} ${attempt}`}
      empty={<Text size="sm">It was not tried yet.</Text>}
    />
  );
}

const COLUMNS: readonly Column<Try>[] = [
  { title: 'Try', cell: ({ attempt }) => attempt },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Status', cell: ({ status, errorClass }) => status ?? errorClass ?? '' },
  { title: 'Took', cell: ({ latency }) => <Latency latency={latency} /> },
  {
    title: 'Answer',
    cell: ({ answer }) =>
      answer !== null && answer !== '' && <Code style={{ overflowWrap: 'anywhere' }}>{answer}</Code>,
  },
];

/** Milliseconds in all; its title says where they went. */
export function Latency({ latency }: Pick<Try, 'latency'>): ReactNode {
  const { totalMs, dnsMs, connectMs, tlsMs, firstByteMs } = latency;
  const parts = { DNS: dnsMs, connect: connectMs, TLS: tlsMs, 'first byte': firstByteMs };
  const known = Object.entries(parts).filter(([, ms]) => ms !== null);
  return <span title={known.map(([part, ms]) => `${part} ${ms} ms`).join(', ')}>{totalMs} ms</span>;
}
