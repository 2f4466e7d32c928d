import { issueApiKey } from '@leadback/domain';
import { givenApiKey, givenDatabase, type TestDatabase } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyCache } from '../src/use-cases/api-key-cache.ts';

describe('looking a key up', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await givenDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** How often the database is asked when a key is looked up ten times; whether it was right. */
  const lookUp = async (key: string) => {
    const keys = apiKeyCache(database.pool, (error) => {
      throw error;
    });
    let asked = 0;
    const count = () => {
      asked += 1;
    };
    database.pool.on('acquire', count);
    const found = await keys.find(key);
    for (let again = 0; again < 9; again += 1) await keys.find(key);
    database.pool.off('acquire', count);
    return { isRight: found !== undefined, isKnown: keys.hasKnown(key), asked };
  };

  // a caller could otherwise tell them apart by the time it takes; that a use is noted is not waited for
  it('takes the same steps for a right one and for every kind of wrong one', async () => {
    const right = await givenApiKey(database.em());
    await database.pool.query('update api_key set last_used_at = now()');
    expect(await lookUp(right)).toEqual({ isRight: true, isKnown: true, asked: 1 });
    const revoked = await givenApiKey(database.em(), { revokedAt: new Date() });
    for (const wrong of [issueApiKey(), revoked, `${right}x`, 'x', '']) {
      expect(await lookUp(wrong)).toEqual({ isRight: false, isKnown: false, asked: 1 });
    }
  });
});
