import { totalmem } from 'node:os';

const quarterOfMemory = `${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`;

/**
 * Buffers as docs/platform-team.md recommends them. No checkpoint begins by itself during a run: whether one falls into a
 * measurement of seconds would be chance. A checkout from before these settings were passed runs with PostgreSQL's own.
 */
export const postgresSettings: Readonly<Record<string, string>> = {
  shared_buffers: quarterOfMemory,
  max_wal_size: '64GB',
  checkpoint_timeout: '1h',
};
