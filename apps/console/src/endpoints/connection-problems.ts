import { errorHeader } from '@leadback/http';
import { z } from 'zod';
import { problemsReply } from '../contract/connections.ts';

/** The reply of an endpoint that takes settings, if some are wrong. */
export const problems = { description: 'What is wrong with each field.', body: problemsReply, example: undefined };

/** Runs an action on typed settings; if it finds some wrong, the reply says what is wrong with each of them. */
export const naming = async <Reply>(act: () => Promise<Reply>) => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const found = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
    const message = found.map((one) => `${one.field}: ${one.message}`).join('; ');
    const headers = { [errorHeader]: 'invalid-fields' };
    return { status: 422 as const, headers, body: { message, problems: found } };
  }
};
