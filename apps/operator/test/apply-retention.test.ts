import { givenLead } from '@leadback/test-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOperator, type TestOperator } from './given-operator.ts';

describe('the operator', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await givenOperator();
  });
  afterAll(() => operator[Symbol.asyncDispose]());

  it('applies retention, and with --dry-run only counts', async () => {
    const { id } = await givenLead(operator.database.em());
    await operator.database.pool.query(`update lead set created_at = now() - interval '500 days' where id = $1`, [id]);
    const result = {
      partitionsMade: [],
      partitionsDropped: [],
      leadsDeleted: 1,
      leadsStripped: 0,
      feedbackDeleted: 0,
      platformRequestsDeleted: 0,
    };
    const line = 'retention apply --leads 400d --attempts 90d';
    const asOwner = { DATABASE_URL: operator.database.ownerUrl };
    expect(await operator.json(`${line} --dry-run`)).toEqual({ dryRun: true, ...result });
    expect(await operator.json(line, asOwner)).toEqual({ dryRun: false, ...result });
    expect(await operator.json(line, asOwner)).toEqual({ dryRun: false, ...result, leadsDeleted: 0 });
    expect(await operator.json('retention apply --attempts 90d', asOwner)).not.toHaveProperty('leadsDeleted');
  });

  it('refuses retention to a role that does not own the tables', async () => {
    const { status, err } = await operator.type('retention apply --attempts 90d');
    expect(err.trim()).toBe(
      'cannot create or drop partitions as leadback_app: set DATABASE_URL to leadback_owner, the owner of the tables',
    );
    expect(status).toBe(1);
  });

  it.each([
    ['retention apply', 'nothing to apply: give --leads 400d, --attempts 90d, or both'],
    ['retention apply --leads 400', '--leads: expected days, such as 400d'],
    [
      'retention apply --leads 89d --attempts 90d',
      '--leads: at least 90d: platforms accept conversions of clicks up to 90 days old',
    ],
  ])('rejects "%s" with exit status 1 and says what to fix', async (line, message) => {
    const { status, out, err } = await operator.type(line);
    expect(err).toContain(message);
    expect([status, out]).toEqual([1, '']);
  });
});
