import { Feedback } from '@leadback/db';
import { pauseConnection, resumeConnection } from '@leadback/delivery';
import { describe, expect, it, vi } from 'vitest';
import { violationsAfter } from '../support/facts.ts';
import { givenStack } from '../support/given-stack.ts';
import { givenLedger } from '../support/ledger.ts';

describe('pausing a connection with a backlog', () => {
  it('sends a paused connection only requests in flight, and the rest when it is resumed', async () => {
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

    await ledger.register(1); // has no delivery over the paused connection, which the oracle reports
    expect(await received()).toBe(sent);
    await resumeConnection(em, id);
    const missing = /O2: conversion \d+ has deliveries for \d+, not for \d+,\d+/;
    const violations = await violationsAfter(stack, ledger);
    expect(violations.filter((violation) => !missing.test(violation))).toEqual([]);
    expect(violations).toHaveLength(1);
    expect(await received()).toBe(700);
  }, 120_000);
});
