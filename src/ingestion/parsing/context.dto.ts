import { ApiPropertyOptional } from '@nestjs/swagger';

/** The page an event happened on. */
export class ContextPageDto {
  @ApiPropertyOptional({ example: 'https://shop.example/item' })
  url?: string;

  @ApiPropertyOptional({ example: 'Item' })
  title?: string;

  @ApiPropertyOptional({ example: 'https://search.example/' })
  referrer?: string;
}

/** The campaign that brought the person. */
export class ContextCampaignDto {
  @ApiPropertyOptional({ example: 'fall' })
  name?: string;

  @ApiPropertyOptional({ example: 'news' })
  source?: string;

  @ApiPropertyOptional({ example: 'email' })
  medium?: string;

  @ApiPropertyOptional({ example: 'shoes' })
  term?: string;

  @ApiPropertyOptional({ example: 'banner' })
  content?: string;
}

/** Where an event comes from. Any object is taken as it is; these are the members SDKs agree on. */
export class ContextDto {
  @ApiPropertyOptional({
    example: '203.0.113.7',
    description: 'Filled in for pages that send none (`CDP_FILL_CONTEXT_IP`).',
  })
  ip?: string;

  @ApiPropertyOptional({ example: 'Mozilla/5.0' })
  userAgent?: string;

  @ApiPropertyOptional({ example: 'en-US' })
  locale?: string;

  @ApiPropertyOptional({ type: () => ContextPageDto })
  page?: ContextPageDto;

  @ApiPropertyOptional({ type: () => ContextCampaignDto })
  campaign?: ContextCampaignDto;
}
