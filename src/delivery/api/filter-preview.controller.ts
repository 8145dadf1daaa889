import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Scopes } from '../../platform/auth/scopes.decorator';
import { ApiProblems, inCase } from '../../platform/openapi/api-problem.decorator';
import { FilterPreviews } from '../trials/filter-previews';
import { FilterPreviewDto, FilterPreviewRequestDto } from '../trials/filter-preview.dto';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import { InvalidRequestError } from '../../platform/http/problems/problem';

@ApiTags('destinations')
@Controller('destinations')
export class FilterPreviewController {
  constructor(private readonly previews: FilterPreviews) {}

  @Post(':id/filter/preview')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({ summary: 'Show which of the newest events a filter would let pass, changing nothing' })
  @ApiOkResponse({ type: FilterPreviewDto })
  @ApiProblems(inCase(InvalidRequestError, 'The filter is not valid.'), DestinationNotFoundError)
  preview(
    @Param('id') destinationId: string,
    @Body() request: FilterPreviewRequestDto,
  ): Promise<FilterPreviewDto> {
    return this.previews.preview(destinationId, request);
  }
}
