import { givenAccount } from '../given-account.ts';
import { figuresOf, rateOf, requestRate } from '../load.ts';
import type { Part } from '../part.ts';

/** HTTP alone, to compare runs on different machines. */
export const http: Part = {
  does: ({ callers, seconds }) => `HTTP alone: ${callers} connections get /health of landing for ${seconds} s`,
  run: async (stack, span) => {
    await givenAccount(stack);
    await stack.startApp('landing');
    const asked = { url: `${stack.operationsUrl}/health`, method: 'GET', expected: 200 };
    return figuresOf(await requestRate(span, asked));
  },
};

/** PostgreSQL alone, for the same reason; ten connections, as many as an app has. */
export const commits: Part = {
  does: ({ seconds }) => `PostgreSQL alone: ten connections commit single rows for ${seconds} s`,
  run: async ({ pool }, { seconds }) => {
    await pool.query('create table bench (n int)');
    const rate = await rateOf({ seconds, callers: 10 }, async () => {
      await pool.query('insert into bench values (1)');
    });
    return figuresOf(rate);
  },
};
