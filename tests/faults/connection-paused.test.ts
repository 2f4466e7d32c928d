import { Feedback, pauseConnection, resumeConnection } from '@leadback/db';
import { describe, expect, it, vi } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { givenStack } from '../support/given-stack.ts';
import { givenLedger } from '../support/ledger.ts';

describe('a connection that is paused amid its backlog', () => {
  it('gets nothing but what is in a request already, and all the rest once it is resumed', async () => {
    await using stack = await givenStack();
    const ledger = await givenLedger(stack, 0);
    const { pixelId, meta } = await ledger.join();
    const { id } = meta;
    await stack.start('api');
    await ledger.register(700);
    await stack.sandbox.behave({ platform: 'meta', answer: 'ok', delayMs: 400 });
    await stack.start('feedback-worker');
    const received = async () =>
      (await stack.sandbox.events()).filter(({ connection }) => connection === pixelId).length;
    await vi.waitFor(async () => expect(await received()).toBeGreaterThan(0), { timeout: 30_000, interval: 20 });

    const em = stack.database.em();
    await pauseConnection(em, id);
    const open = { connection: id, state: 'pending', dueAt: { $lt: new Date('9999-01-01') } } as const;
    await vi.waitFor(async () => expect(await em.count(Feedback, open)).toBe(0), { timeout: 30_000 });
    const sent = await received();
    expect(await em.count(Feedback, { connection: id, state: 'delivered', attempts: 1 })).toBe(sent);
    expect(sent).toBeLessThan(700);

    await ledger.register(1); // what is registered now has no feedback there: the oracle would say if it had
    expect(await received()).toBe(sent);
    await resumeConnection(em, id);
    const missing = /O2: conversion \d+ has feedback for \d+, not for \d+,\d+/;
    const troubles = await violationsAfter(stack, ledger);
    expect(troubles.filter((trouble) => !missing.test(trouble))).toEqual([]);
    expect(troubles).toHaveLength(1);
    expect(await received()).toBe(700);
  }, 120_000);
});
