import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server that tests may create databases on. */
    postgresUrl: string;
    /** A migrated database to copy. */
    templateDatabase: string;
    /** Gives everyone who asks a virtual host of RabbitMQ. */
    virtualHostsUrl: string;
    /** Gone at the end of the run. */
    temporaryFolder: string;
  }
}
