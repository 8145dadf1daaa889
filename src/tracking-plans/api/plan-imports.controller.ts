import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Scopes } from '../../platform/auth/scopes.decorator';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { importPlan } from '../imports/import-plan';
import { ImportPlanDto, PlanImportDto } from './dto/import-plan.dto';

@ApiTags('tracking plans')
@Controller('tracking-plans')
export class PlanImportsController {
  @Post('import')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({
    summary: 'Make a plan of a tracking plan of Segment or RudderStack, without saving it',
    description: 'What a plan cannot say is a 400 that names its place in the document.',
  })
  @ApiOkResponse({ type: PlanImportDto })
  async import(@Body() { document }: ImportPlanDto): Promise<PlanImportDto> {
    const imported = await importPlan(document);
    if (!imported.ok) throw new InvalidRequestError(imported.errors.map(inBody));
    const { rules, ...rest } = imported.plan;
    return { plan: { ...rest, rules: [...rules] }, notes: imported.notes.map(inBody) };
  }
}

/** What is told of a place in the document, with its place in the body of the request. */
function inBody<Told extends { readonly path: string }>(told: Told): Told {
  return { ...told, path: `document.${told.path}` };
}
