import { eventually, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenPartner } from '../../support/given-partner.ts';
import { givenStack } from '../../support/given-stack.ts';

describe('an upload and an api crash', async () => {
  const stack = await shared(givenStack());

  it('refuses a file and deletes its rows if the api was killed while it was uploaded', async () => {
    await stack.start('api');
    const { key } = await givenPartner(stack);
    const { pool } = stack.database;
    const stored = async () => {
      const rows = '(select count(*)::int from import_row) as rows';
      return (await pool.query(`select state, finished_at is not null as finished, ${rows} from import`)).rows;
    };
    const file = async function* () {
      yield Buffer.from('leadReference\n');
      for (let row = 0; row < 5_000; row += 1) yield Buffer.from(`reference-${row}\n`);
      await eventually(async () => expect((await stored())[0]?.rows).toBeGreaterThan(0));
      await stack.kill('api');
      throw new Error('the api is gone');
    };
    const headers = { 'x-api-key': key, 'content-type': 'text/csv' };
    const sent = fetch(`${stack.apiUrl}/import?of=client`, { method: 'POST', headers, body: file(), duplex: 'half' });
    await expect(sent).rejects.toThrow('fetch failed');
    expect(await stored()).toMatchObject([{ state: 'uploading' }]);

    await pool.query(`update import set created_at = created_at - interval '21 minutes'`);
    await stack.start('api');
    await expect.poll(stored).toEqual([{ state: 'refused', finished: true, rows: 0 }]);
  });
});
