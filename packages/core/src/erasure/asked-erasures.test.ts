import { openPool } from '@leadback/db';
import { askErasure, decryptSubject, erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { readErasure } from '@leadback/core/erasure/ask/receipt';
import { everyRow, givenDatabase, secretsKeys } from '@leadback/testing';
import { describe, expect, it } from 'vitest';

const keys = erasureKeys(secretsKeys);

describe('an erasure that is asked for', () => {
  it('keeps the person encrypted, and landing asks for it without reading whom others ask for', async () => {
    await using database = await givenDatabase();
    await using landing = await openPool({ url: database.urlOf('landing'), applicationName: 'test' });
    const id = await askErasure(landing.pool, keys, {
      accountId: 7,
      askedBy: 'visitor',
      actor: 'visitor',
      subject: { leadReference: 'canaryReference' },
    });
    expect(id).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(await readErasure(landing.pool, id)).toEqual({
      id,
      accountId: 7,
      askedBy: 'visitor',
      isTest: false,
      state: 'pending',
      requestedAt: expect.any(Date),
      finishedAt: null,
      receipt: null,
      signature: null,
      keyId: null,
    });
    expect(await readErasure(landing.pool, 'another')).toBeUndefined();
    for (const rows of (await everyRow(database)).values()) expect(rows.join()).not.toContain('canaryReference');
    await expect(landing.pool.query('select subject from erasure')).rejects.toThrow('permission denied');
    const { rows } = await database.pool.query<{ subject: Buffer }>('select subject from erasure');
    expect(decryptSubject(keys, 7, rows[0]?.subject ?? Buffer.alloc(0))).toEqual({ leadReference: 'canaryReference' });
    expect(() => decryptSubject(keys, 8, rows[0]?.subject ?? Buffer.alloc(0))).toThrow('unable to authenticate');
  });
});
