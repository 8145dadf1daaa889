import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Scopes } from '../../platform/auth/scopes.decorator';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { ApiProblems, inCase } from '../../platform/openapi/api-problem.decorator';
import { TestTransformationDto, TransformationTrialDto } from '../trials/transformation-trial.dto';
import { TrialsBusyError } from '../trials/transformation-trial-problems';
import { TransformationTrials } from '../trials/transformation-trials';

@ApiTags('transformations')
@Controller('transformations')
export class TransformationTrialsController {
  constructor(private readonly trials: TransformationTrials) {}

  @Post('test')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({
    summary: 'Show what a code would make of the newest events, changing nothing',
    description: 'Neither the code nor what it makes is kept, and nothing is sent.',
  })
  @ApiOkResponse({ type: TransformationTrialDto })
  @ApiProblems(
    inCase(InvalidRequestError, 'The code cannot be loaded, or the filter is not valid.'),
    TrialsBusyError,
  )
  test(@Body() given: TestTransformationDto): Promise<TransformationTrialDto> {
    return this.trials.test(given);
  }
}
