import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { CodeTextarea } from '../../shared/code-textarea';
import { useProblemsIn } from '../../shared/field-problems';
import { NameField } from '../../shared/named-fields';
import { readObject } from '../../shared/read-object';
import { TransformationSelect } from '../../shared/transformation-select';
import { LABELS } from './field-labels';
import { FilterField } from './filter/filter-field';
import { NoticeTraitsField } from './notice-traits-field';
import { NoticesField } from './notices-field';
import { OrderField } from './order-field';
import { SchemaForm } from './schema-form';
import type { SettingsDraft } from './settings-draft';
import { SourcesField } from './sources-field';

const MAPPING_EXAMPLE = '{"drop": ["context.ip"], "hash": [{"path": "traits.email"}]}';

export interface DestinationFieldsProps {
  /** Of the destination; a new one has none. */
  readonly id?: string;
  /** Undefined while it is not installed: the config cannot be changed then. */
  readonly connector: Dto['ConnectorDto'] | undefined;
  readonly draft: SettingsDraft;
  readonly onChange: (members: Partial<SettingsDraft>) => void;
}

/** What can be said of a destination, of whichever type. */
export function DestinationFields({ id, connector, draft, onChange }: DestinationFieldsProps): ReactNode {
  const [mapping, rateLimit] = [useProblemsIn('mapping'), useProblemsIn('rateLimit')];
  return (
    <>
      <NameField placeholder="Order service" value={draft.name} onChange={(name) => onChange({ name })} />
      {connector !== undefined && (
        <SchemaForm
          key={connector.id}
          schema={connector.configSchema}
          path="config"
          values={draft.config}
          onChange={(config) => onChange({ config })}
        />
      )}
      <SourcesField chosen={draft.sources} onChange={(sources) => onChange({ sources })} />
      <FilterField id={id} draft={draft.filter} onChange={(filter) => onChange({ filter })} />
      <TransformationSelect
        description="Its code changes events between filter and mapping. Not for batches."
        chosen={draft.transformationId}
        onChange={(transformationId) => onChange({ transformationId })}
      />
      <CodeTextarea
        label={LABELS.mapping}
        description="pick, drop, hash, rename and constant, in this order; nothing sends events as they came."
        placeholder={MAPPING_EXAMPLE}
        value={draft.mapping}
        onChange={(mapping) => onChange({ mapping })}
        error={readObject(draft.mapping) === 'no_object' ? 'This is no JSON object.' : mapping}
      />
      <NumberInput
        label={LABELS.rateLimit}
        description="Requests a second at most, all workers together; no limit when it is empty."
        clampBehavior="none"
        value={draft.perSecond}
        error={rateLimit}
        onChange={(perSecond) => onChange({ perSecond })}
      />
      <OrderField order={draft.order} onChange={(order) => onChange({ order })} />
      <NoticesField chosen={draft.notices} onChange={(notices) => onChange({ notices })} />
      {draft.notices.includes('trait_changed') && (
        <NoticeTraitsField
          chosen={draft.noticeTraits}
          onChange={(noticeTraits) => onChange({ noticeTraits })}
        />
      )}
    </>
  );
}
