import type { PoolClient } from '@leadback/db';

/** A person who sends a file; a partner with an API key has no name here. */
export interface FileSender {
  readonly createdBy?: string | undefined;
  readonly fileName?: string | undefined;
  /** Called in the transaction that begins to store the file. */
  readonly onBegun?: ((on: PoolClient, id: number) => Promise<void>) | undefined;
}
