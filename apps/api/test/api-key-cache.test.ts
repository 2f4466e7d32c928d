import { issueApiKey } from '@leadback/domain/keys';
import { givenApiKey, givenDatabase, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { apiKeyCache } from '../src/authenticate.ts';

describe('apiKeyCache', async () => {
  const database = await shared(givenDatabase());

  /** Looks a key up ten times and returns the number of queries. */
  const findTenTimes = async (key: string) => {
    const keys = apiKeyCache(database.pool, (error) => {
      throw error;
    });
    let queries = 0;
    const count = () => {
      queries += 1;
    };
    database.pool.on('acquire', count);
    const found = await keys.find(key);
    for (let again = 0; again < 9; again += 1) await keys.find(key);
    database.pool.off('acquire', count);
    return { isValid: found !== undefined, queries };
  };

  // otherwise callers could distinguish keys by response time; saving the last use is not awaited
  it('queries the database once for a valid API key and for each kind of invalid one', async () => {
    const valid = await givenApiKey(database.em());
    await database.pool.query('update api_key set last_used_at = now()');
    expect(await findTenTimes(valid)).toEqual({ isValid: true, queries: 1 });
    const revoked = await givenApiKey(database.em(), { revokedAt: new Date() });
    for (const invalid of [issueApiKey(), revoked, `${valid}x`, 'x', '']) {
      expect(await findTenTimes(invalid)).toEqual({ isValid: false, queries: 1 });
    }
  });
});
