import { describe, expect, it } from 'vitest';
import { startPostgres } from '../src/stack/index.ts';
import { commandLine, until } from '../src/stack/processes/processes.ts';
import { anotherStarter } from './another-starter.ts';
import { query } from './query.ts';
import { temporaryFolder } from './temporary-folder.ts';

const busyForTwoSeconds = `do $$
  declare finish timestamptz := clock_timestamp() + interval '2 s';
  begin while clock_timestamp() < finish loop end loop; end $$`;

describe('PostgreSQL', () => {
  it('PostgreSQL keeps commits over a kill -9 and leaves no process behind', async () => {
    await using dir = await temporaryFolder();
    await using server = await startPostgres({ dir: dir.path, durable: false });
    await query(server.url, `create table note as select 'kept' as text`);

    const killed = server.pid;
    await server.kill();
    expect(commandLine(killed)).toBe('');
    await server.start();
    expect(server.pid).not.toBe(killed);
    expect(await query(server.url, 'select text from note')).toContain('kept');

    await server.stop();
    expect(commandLine(server.pid)).toBe('');
  });

  it('PostgreSQL restarts while a session of the killed server still runs a statement', async () => {
    await using dir = await temporaryFolder();
    await using server = await startPostgres({ dir: dir.path, durable: false });
    const busy = query(server.url, busyForTwoSeconds);
    const sessions = `select 'busy' as state from pg_stat_activity where state = 'active' and query like 'do %'`;
    expect(await until(async () => (await query(server.url, sessions)).includes('busy'), 2_000)).toBe(true);

    await server.kill();
    await server.start();
    expect(await query(server.url, `select 'well'`)).toContain('well');
    await busy;
  });

  it('PostgreSQL has one owner process; when that is killed, the next start ends its server and reuses the data', async () => {
    await using dir = await temporaryFolder();
    const starter = await anotherStarter('postgres', dir.path);
    await expect(startPostgres({ dir: dir.path })).rejects.toThrow('is in use by process');
    expect(commandLine(starter.startedPid)).toContain(dir.path);

    await starter.kill();
    await using server = await startPostgres({ dir: dir.path });
    expect(commandLine(starter.startedPid)).toBe('');
    expect(await query(server.url, `select 'well'`)).toContain('well');
  });
});
