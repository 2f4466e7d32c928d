import { openDatabase } from '@leadback/db';
import { givenDatabase } from '@leadback/test-fixtures';
import { expect, it, vi } from 'vitest';

const inUrl = (url: string) => {
  const own = new URL(url);
  own.searchParams.set('options', '-c search_path=zapatos');
  return own.href;
};

it.each([
  { who: 'an app', hasNoStatementTimeout: false, planning: 'off' },
  { who: 'a long command', hasNoStatementTimeout: true, planning: 'on' },
])('$who uses the schema of its cell, given by PGOPTIONS or the URL', async ({ hasNoStatementTimeout, planning }) => {
  await using database = await givenDatabase();
  const settingsOf = async (url: string) => {
    await using own = await openDatabase({ url, applicationName: 'cell', hasNoStatementTimeout });
    const { rows } = await own.pool.query(
      `select current_setting('search_path') as schema, current_setting('enable_seqscan') as planning`,
    );
    return rows;
  };
  expect(await settingsOf(inUrl(database.url))).toEqual([{ schema: 'zapatos', planning }]);
  vi.stubEnv('PGOPTIONS', '-c search_path=zapatos');
  expect(await settingsOf(database.url)).toEqual([{ schema: 'zapatos', planning }]);
  vi.unstubAllEnvs();
});
