import { endpoint, noInput } from '@leadback/http';
import type { ApiContext } from '../context.ts';

/** The health check: whoever gets here has a valid and active key. */
export const checkKey = endpoint<ApiContext, typeof noInput>({
  method: 'get',
  path: '/',
  input: noInput,
  handle: () => Promise.resolve({ status: 200, body: { message: 'The API key is valid and active.' } }),
});
