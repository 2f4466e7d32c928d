import { FeedbackAttempt, pauseConnection } from '@leadback/db';
import { givenFeedback } from '@leadback/given';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOperator, type TestOperator } from './given-operator.ts';

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('the operator', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await givenOperator();
  });
  afterAll(() => operator[Symbol.asyncDispose]());

  const given = (options: Parameters<typeof givenFeedback>[1] = {}) => givenFeedback(operator.database.em(), options);

  /** Feedback that came to nothing at the second attempt. */
  const givenHistory = async () => {
    const feedback = await given({ state: 'failed', reason: '100: Invalid parameter' });
    const em = operator.database.em();
    const { account } = feedback;
    const attempt = { account, feedback, durationMs: 12 };
    em.create(FeedbackAttempt, { ...attempt, outcome: 'unavailable', reason: 'ECONNRESET' });
    await em.flush();
    em.create(FeedbackAttempt, {
      ...attempt,
      outcome: 'rejected',
      reason: '100: Invalid parameter',
      httpStatus: 400,
      answer: '{"error":{"code":100}}',
      platformRequest: 'r-1',
    });
    await em.flush();
    return feedback;
  };

  it('shows feedback with every attempt, oldest first', async () => {
    const { id, conversion, connection } = await givenHistory();
    expect(await operator.json(`feedback show ${id}`)).toMatchObject({
      id,
      conversionId: conversion.id,
      connectionId: connection.id,
      platform: 'meta',
      connectionState: 'active',
      state: 'failed',
      reason: '100: Invalid parameter',
      note: null,
      dueAt: null,
      waitsFor: null,
      closedAt: time,
      attempts: [
        {
          at: time,
          outcome: 'unavailable',
          reason: 'ECONNRESET',
          httpStatus: null,
          answer: null,
          durationMs: 12,
          platformRequest: null,
        },
        {
          at: time,
          outcome: 'rejected',
          reason: '100: Invalid parameter',
          httpStatus: 400,
          answer: '{"error":{"code":100}}',
          durationMs: 12,
          platformRequest: 'r-1',
        },
      ],
    });
  });

  it('shows people the values of feedback one below the other, and its attempts in a table', async () => {
    const { id } = await givenHistory();
    const { out } = await operator.type(`feedback show ${id}`);
    expect(out).toMatch(new RegExp(`│ id +│ ${id} +│`));
    expect(out).toMatch(/attempts\n┌.*\n│ at +│ outcome +│ reason +│ httpStatus +│/);
  });

  it('says when feedback is due, or that it waits for its connection', async () => {
    const { id, connection } = await given();
    expect(await operator.json(`feedback show ${id}`)).toMatchObject({ dueAt: time, waitsFor: null, attempts: [] });
    await pauseConnection(operator.database.em(), connection.id);
    expect(await operator.json(`feedback show ${id}`)).toMatchObject({
      dueAt: null,
      waitsFor: 'its connection to be resumed',
    });
    expect((await operator.type(`feedback show ${id}`)).out).toContain('its connection to be resumed');
  });

  it('lists what a platform said later', async () => {
    const { id, account } = await given({ state: 'delivered' });
    await operator.database.pool.query(`update feedback set note = 'matched 1 of 1' where id = $1`, [id]);
    expect(await operator.json(`feedback list --account ${account.id}`)).toMatchObject([
      { id, note: 'matched 1 of 1' },
    ]);
  });

  it('says that there is no such feedback', async () => {
    const { status, err } = await operator.type('feedback show 999999');
    expect([status, err]).toEqual([1, 'there is no feedback 999999\n']);
  });
});
