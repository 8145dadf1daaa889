import { Column, CreateDateColumn, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The columns of what operators configure. Its version goes up with each change, and two changes never meet in one. */
export abstract class Resource {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Goes up with each change by an operator; the ETag. */
  @Column('integer')
  version: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
