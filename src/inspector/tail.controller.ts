import { Controller, Get, Header, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DAY_MS } from '../events/partitions/partition-plan';
import type { AuthenticatedRequest } from '../platform/auth/jwt-auth.guard';
import { ApiProblems } from '../platform/openapi/api-problem.decorator';
import { TailQueryDto } from './dto/tail.dto';
import { TooManyListenersError } from './inspector-problems';
import { TailFeed } from './tail/tail-feed';
import { readTailFilter } from './tail/tail-filter';
import { TailListener } from './tail/tail-listener';

/** A snapshot as PostgreSQL writes it. */
const SNAPSHOT = /^\d{1,19}:\d{1,19}:[\d,]{0,10000}$/;

@ApiTags('inspector')
@Controller('events')
export class TailController {
  constructor(private readonly feed: TailFeed) {}

  // Not `@Sse`: with interceptors around it, its headers go out before the listener is entered.
  @Get('tail')
  @Header('cache-control', 'no-store, no-transform')
  @Header('x-accel-buffering', 'no') // nginx would keep it back.
  @ApiOperation({
    summary: 'Watch events as they come in (Server-Sent Events)',
    description:
      'Messages of type `accepted` have an event as `GET /events` lists it, those of type `rejected` one as ' +
      '`GET /rejected-events` does, those of type `quarantined` one as `GET /quarantined-events`. At most 50 a second are shown; `left_out` counts the others once a second, and in a ' +
      'very busy second some that nobody could look at. An accepted event is there within a second of its 200, whichever ' +
      'process took it in; duplicates are not shown. A client that comes again within 30 seconds with the `Last-Event-ID` ' +
      'it was given goes on where it was. `npx cdp tail` shows the same in a terminal.',
  })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The last `id` of the stream before.' })
  @ApiOkResponse({
    description: 'Ends with the token, or after the `seconds` that are given.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiProblems(TooManyListenersError)
  async tail(@Query() query: TailQueryDto, @Req() request: AuthenticatedRequest): Promise<StreamableFile> {
    const listener = new TailListener(readTailFilter(query), snapshotOf(request));
    await this.feed.join(listener);
    const untilMs = Math.min(
      request.user.expiresAt.getTime() - Date.now(),
      (query.seconds ?? Infinity) * 1_000,
    );
    const timer = setTimeout(() => listener.end(), request.method === 'HEAD' ? 0 : Math.min(untilMs, DAY_MS));
    listener.stream.once('close', () => clearTimeout(timer));
    if (request.raw.destroyed) listener.stream.destroy();
    return new StreamableFile(listener.stream, { type: 'text/event-stream' });
  }
}

function snapshotOf({ headers }: AuthenticatedRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && SNAPSHOT.test(id) ? id : undefined;
}
