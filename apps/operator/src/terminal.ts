import type { Readable, Writable } from 'node:stream';

interface Terminality {
  readonly isTTY?: boolean;
}

/** What a command reads and writes besides its words: `process`, or what a test puts in its place. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & Terminality;
  readonly stdout: Pick<Writable, 'write'>;
  readonly stderr: Writable & Terminality;
}
