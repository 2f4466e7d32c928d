import { createLogger } from '../../src/app/index.ts';
import { givenServer } from '@leadback/testing';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint, endpointRouter, errorHeader, errorResponder, nothing, requestLog } from '../../src/http/index.ts';

const stored: unknown = { amount: 'torn' };
const amountSchema = z.object({ amount: z.number() });
const unused = { subject: 'Test', summary: '', description: '', headers: nothing };
const replies = { 200: { description: '', body: amountSchema, example: undefined } };

const given = async () => {
  const app = express();
  const read = endpoint<undefined>()({
    ...unused,
    method: 'get',
    path: '/stored',
    input: nothing,
    replies,
    handle: async () => ({ status: 200, body: amountSchema.parse(stored) }),
  });
  const write = endpoint<undefined>()({
    ...unused,
    method: 'post',
    path: '/sent',
    input: amountSchema,
    replies,
    handle: async ({ input }) => ({ status: 200, body: input }),
  });
  app.use(endpointRouter([read, write], undefined, [requestLog(createLogger('test', 'silent'))]));
  app.use(errorResponder({ isUnavailable: () => false }));
  return givenServer(app);
};

describe('the responses to input and data that do not fit their schemas', () => {
  it('responds 500 without details if stored data does not fit its schema', async () => {
    await using server = await given();
    const response = await fetch(`${server.url}/stored`);
    expect([response.status, response.headers.get(errorHeader)]).toEqual([500, 'internal']);
    expect(await response.text()).not.toContain('amount');
  });

  it('responds 400 and names the fields if a request does not fit its schema', async () => {
    await using server = await given();
    const response = await fetch(`${server.url}/sent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(stored),
    });
    expect([response.status, response.headers.get(errorHeader)]).toEqual([400, 'invalid-fields']);
    expect(await response.json()).toEqual({ message: expect.stringContaining('amount: ') });
  });
});
