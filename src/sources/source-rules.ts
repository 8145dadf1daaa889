import { unknownId } from '../platform/http/input/unknown-id';
import { InvalidRequestError } from '../platform/http/problems/problem';
import type { UpdateSourceDto } from './dto/update-source.dto';
import type { SourceKind } from './source-kind';
import { notAWebhook } from './source-problems';
import type { Source } from './source.entity';

/** What only a webhook has. @throws InvalidRequestError */
export function demandWebhook(
  kind: SourceKind,
  {
    signature = null,
    untransformed = 'keep',
    transformationId = null,
  }: Pick<UpdateSourceDto, 'signature' | 'untransformed' | 'transformationId'>,
): void {
  if (kind === 'webhook') return;
  const given = [
    ...(signature === null ? [] : ['signature']),
    ...(untransformed === 'keep' ? [] : ['untransformed']),
    ...(transformationId === null ? [] : ['transformationId']),
  ];
  if (given.length === 0) return;
  throw new InvalidRequestError(given.map(notAWebhook));
}

/** @throws InvalidRequestError */
export function demandSameKind(source: Source, { kind = source.kind }: UpdateSourceDto): void {
  if (kind === source.kind) return;
  const message = `kind cannot be changed: this source is of the kind ${source.kind}`;
  throw new InvalidRequestError([{ path: 'kind', code: 'kind_is_fixed', message }]);
}

/** Says which member of a source names what is not there. @param constraint of the table, that refuses it */
export function unknownReference(constraint: string | undefined): InvalidRequestError {
  const unknown =
    constraint === 'source_transformation_fk'
      ? unknownId('transformationId', 'transformation')
      : unknownId('trackingPlanId', 'tracking plan');
  return new InvalidRequestError([unknown]);
}
