import { ApiProperty } from '@nestjs/swagger';
import { type CustomerEvent, EVENT_TYPES, eventName, type EventType } from './customer-event';

/** Which event it is. */
export class EventHeadDto {
  @ApiProperty({ format: 'uuid', description: 'Given by this service at reception.' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;

  @ApiProperty({
    example: 'Order Completed',
    description: 'Event name of a track, name of a page or screen, otherwise the type.',
  })
  name: string;

  @ApiProperty({ format: 'date-time', description: 'When it happened.' })
  timestamp: string;
}

export function headOf(event: CustomerEvent): Pick<EventHeadDto, keyof EventHeadDto> {
  const { id, sourceId, type, timestamp } = event;
  return { id, sourceId, type, name: eventName(event), timestamp };
}
