import { erasureTools, performNextErasure } from '@leadback/core/erasure/perform-erasure';
import { givenClient, secretsKeys, unique } from '@leadback/testing';
import { expect, it } from 'vitest';
import { holdCounting } from '../../../packages/core/test/hold-counting.ts';
import { givenOperator } from './given-operator.ts';

it('client erase holds no client while it counts, and an api makes the receipt if the command is cut off', async () => {
  await using operator = await givenOperator();
  const { pool } = operator.database;
  const email = `${unique('canary')}@example.com`;
  const { id, account } = await givenClient(operator.database.em(), { email });
  await using held = await holdCounting(operator.database);
  const typed = operator.type(`client erase --account ${account.id} --email ${email}`);
  const session = await held.counting();
  await pool.query('select from client where id = $1 for key share nowait', [id]);
  await pool.query('select pg_terminate_backend($1)', [session]);

  const { status, err } = await typed;
  const { rows } = await pool.query<{ id: string }>('select id from erasure');
  expect(err.trim()).toBe(
    `the person is erased. An api counts for the receipt: run "receipt show ${rows[0]?.id}" in a few minutes`,
  );
  expect(status).toBe(1);
  await held.letGo();
  await pool.query('update erasure set due_at = now()');
  expect(await performNextErasure(pool, erasureTools(secretsKeys, 30))).toMatchObject({
    id: rows[0]?.id,
    outcome: 'done',
    isAnyoneErased: true,
  });
});
