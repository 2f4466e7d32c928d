import { openPool } from '@leadback/db';
import { givenDatabase } from '@leadback/testing';
import { expect, it, vi } from 'vitest';

const inUrl = (url: string) => {
  const own = new URL(url);
  own.searchParams.set('options', '-c search_path=zapatos');
  return own.href;
};

it.each([
  { who: 'an app', role: 'url', hasNoStatementTimeout: false, planning: 'off', locks: '500ms' },
  { who: 'a long command', role: 'url', hasNoStatementTimeout: true, planning: 'on', locks: '15s' },
  { who: 'a command of the owner', role: 'ownerUrl', hasNoStatementTimeout: true, planning: 'on', locks: '5s' },
] as const)(
  '$who uses the schema of its cell, given by PGOPTIONS or the URL, and waits $locks for a lock',
  async ({ role, hasNoStatementTimeout, planning, locks }) => {
    await using database = await givenDatabase();
    const settingsOf = async (url: string) => {
      await using own = await openPool({ url, applicationName: 'cell', hasNoStatementTimeout });
      const { rows } = await own.pool.query(
        `select current_setting('search_path') as schema, current_setting('enable_seqscan') as planning, current_setting('lock_timeout') as locks`,
      );
      return rows;
    };
    expect(await settingsOf(inUrl(database[role]))).toEqual([{ schema: 'zapatos', planning, locks }]);
    vi.stubEnv('PGOPTIONS', '-c search_path=zapatos');
    expect(await settingsOf(database[role])).toEqual([{ schema: 'zapatos', planning, locks }]);
    vi.unstubAllEnvs();
  },
);
