import { endpoint, nothing } from '@leadback/http';
import { z } from 'zod';
import type { ApiContext } from '../context.ts';

const body = { message: 'The API key is valid and active.' };

export const checkKey = endpoint<ApiContext>()({
  method: 'get',
  path: '/',
  subject: 'API key',
  summary: 'Check the API key',
  description: 'Confirms that the key is valid and active. Changes nothing.',
  input: nothing,
  headers: nothing,
  replies: { 200: { description: 'The key is valid.', body: z.object({ message: z.string() }), example: body } },
  handle: () => Promise.resolve({ status: 200 as const, body }),
});
