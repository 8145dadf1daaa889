declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
    /** Each notification has one record. */
    on(
      event: 'event',
      listener: (notification: { Records: { eventName: string; s3: { object: { key: string } } }[] }) => void,
    ): void;
  }
}
