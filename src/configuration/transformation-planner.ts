import { Injectable } from '@nestjs/common';
import type { InputProblems } from '../platform/http/input/input-problems';
import { TransformationsService } from '../transformations/api/transformations.service';
import { completeTransformation } from './complete-entry';
import { byName, type Configuration } from './configuration-reader';
import type { ConfigDocumentDto } from './dto/config-document.dto';
import { transformationEntry } from './export-document';
import { fieldChanges } from './field-changes';
import { changeTo, type PlannedChange } from './planned-change';

/** Compares the transformations of a document with those that are there, and notes what is wrong with their code. */
@Injectable()
export class TransformationPlanner {
  constructor(private readonly transformations: TransformationsService) {}

  async plan(
    { transformations = [] }: ConfigDocumentDto,
    configuration: Configuration,
    problems: InputProblems,
  ): Promise<PlannedChange[]> {
    const changes: (PlannedChange | undefined)[] = [];
    const presentOf = byName(configuration.transformations);
    for (const [index, given] of transformations.entries()) {
      const transformation = completeTransformation(given);
      const { name, code } = transformation;
      const present = presentOf.get(name);
      if (code !== present?.code)
        problems.failAll(await this.transformations.check(code), `transformations[${index}]`);
      const desired = { kind: 'transformation', transformation } as const;
      changes.push(
        changeTo({ name, desired }, present, (one) =>
          fieldChanges(transformationEntry(one), transformationEntry(transformation)),
        ),
      );
    }
    return changes.filter((change) => change !== undefined);
  }
}
