import type { Readable, Writable } from 'node:stream';

interface Stream {
  /** Whether a person is at its other end. */
  readonly isTTY?: boolean;
}

/** What a command reads and writes besides its words: `process`, or what a test puts in its place. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & Stream;
  readonly stdout: Pick<Writable, 'write'>;
  readonly stderr: Writable & Stream;
}
