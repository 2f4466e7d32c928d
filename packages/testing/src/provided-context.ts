import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which tests create databases, by its Unix socket. */
    postgresUrl: string;
    /** A migrated database to copy. */
    templateDatabase: string;
    /** Each POST returns the URL of a new virtual host of RabbitMQ, or the output of rabbitmqctl. */
    sharedBrokerUrl: string;
    /** Deleted at the end of the run. */
    temporaryFolder: string;
  }
}
