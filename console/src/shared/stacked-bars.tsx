import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table';
import { Disclosure } from './disclosure';
import { heightsOf } from './heights-of';
import classes from './stacked-bars.module.css';

/** One kind of thing that is counted. */
export interface Series<Key extends string> {
  readonly key: Key;
  readonly label: string;
  /** A colour of Mantine, such as `teal.7`. */
  readonly color: string;
}

/** What was counted in a step of time, by series. */
type Step<Key extends string> = Readonly<Record<Key, number>> & { readonly at: string };

interface StackedBarsProps<Key extends string> {
  /** What is shown, in words: `Events by minute`. */
  readonly label: string;
  readonly steps: readonly Step<Key>[];
  readonly series: readonly Series<Key>[];
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const HEIGHT = 100;

/** Counts over time as bars, and on demand as a table, for those who want the numbers or cannot see the bars. */
export function StackedBars<Key extends string>({ label, steps, series }: StackedBarsProps<Key>): ReactNode {
  const keys = series.map(({ key }) => key);
  const highest = Math.max(0, ...steps.map((step) => keys.reduce((sum, key) => sum + step[key], 0)));
  return (
    <figure className={classes.figure}>
      <Group justify="space-between">
        <Legend series={series} />
        <Text size="xs">highest {highest.toLocaleString()}</Text>
      </Group>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${steps.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {steps.map((step, index) => (
          <g key={step.at}>
            <title>{describe(step, series)}</title>
            <rect className={classes.column} x={index} y={0} width={1} height={HEIGHT} />
            {heightsOf(
              keys.map((key) => step[key]),
              HEIGHT / Math.max(1, highest),
            ).map(({ y, height }, position) => (
              <rect
                key={keys[position]}
                x={index + 0.1}
                y={HEIGHT - y - height}
                width={0.8}
                height={height}
                fill={colorOf(series[position]?.color ?? 'gray.5')}
              />
            ))}
          </g>
        ))}
      </svg>
      <Group justify="space-between" aria-hidden>
        {[steps.at(0), steps.at(Math.floor(steps.length / 2)), steps.at(-1)].map((step) => (
          <Text key={step?.at} size="xs">
            {step && clock(step.at)}
          </Text>
        ))}
      </Group>
      <AsTable label={label} steps={steps} series={series} />
    </figure>
  );
}

function Legend<Key extends string>({ series }: Pick<StackedBarsProps<Key>, 'series'>): ReactNode {
  return (
    <Group gap="md">
      {series.map(({ key, label, color }) => (
        <Group key={key} gap={6}>
          <Box w={12} h={12} bg={color} aria-hidden />
          <Text size="sm">{label}</Text>
        </Group>
      ))}
    </Group>
  );
}

function AsTable<Key extends string>({ label, steps, series }: StackedBarsProps<Key>): ReactNode {
  const columns: readonly Column<Step<Key>>[] = [
    { title: 'From', cell: ({ at }) => clock(at) },
    ...series.map(({ key, label: title }): Column<Step<Key>> => ({
      title,
      cell: (step) => step[key].toLocaleString(),
      align: 'right',
    })),
  ];
  return (
    <Disclosure summary="As a table">
      <DataTable label={label} columns={columns} rows={steps.toReversed()} rowKey={({ at }) => at} empty="" />
    </Disclosure>
  );
}

function describe<Key extends string>(step: Step<Key>, series: readonly Series<Key>[]): string {
  return [clock(step.at), ...series.map(({ key, label }) => `${label} ${step[key].toLocaleString()}`)].join(
    ', ',
  );
}

function clock(at: string): string {
  return CLOCK.format(new Date(at));
}

function colorOf(color: string): string {
  return `var(--mantine-color-${color.replace('.', '-')})`;
}
