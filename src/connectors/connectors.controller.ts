import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ConnectorDto } from './connector.dto';
import { ConnectorRegistry } from './registry';

@ApiTags('destinations')
@Controller('connectors')
export class ConnectorsController {
  constructor(private readonly connectors: ConnectorRegistry) {}

  @Get()
  @ApiOperation({ summary: 'List the installed connectors with the JSON Schema of their config' })
  @ApiOkResponse({ type: [ConnectorDto] })
  findAll(): ConnectorDto[] {
    return this.connectors.all().map((connector) => ConnectorDto.from(connector));
  }
}
