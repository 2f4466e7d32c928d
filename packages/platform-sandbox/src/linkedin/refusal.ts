import { z } from 'zod';
import type { ErrorAnswer } from '../play-behaviour.ts';
import { elementSchema } from './element.ts';
import { badRequest, noAccount, outOfTime, unprocessable } from './errors.ts';

const elementsMax = 5000;
// PostgreSQL and the tests may read the clock of this machine in different ways
const aheadMaxMs = 1000;
const ageMaxMs = 90 * 24 * 60 * 60 * 1000;

const requestSchema = z.strictObject({ elements: z.array(z.unknown()).min(1) });

const problemOf = ({ code, message, input, ...issue }: z.core.$ZodIssue): string => {
  if (issue.path.length > 0 && input === undefined && code !== 'unrecognized_keys') {
    return 'field is required but not found and has no default value';
  }
  if (code === 'unrecognized_keys') return 'unrecognized field found but not allowed';
  return `${JSON.stringify(input)} ${message}`;
};

const pathOf = (issue: z.core.$ZodIssue): string => {
  const keys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, 1) : [];
  return `/${[...issue.path, ...keys].join('/')}`;
};

/** What the validator says about one element: a line for each invalid field, the first with the element's position. */
const errorsOf = (index: number, issues: readonly z.core.$ZodIssue[]): string => {
  const lines = issues.map((issue) => `ERROR :: ${pathOf(issue)} :: ${problemOf(issue)}\n`);
  return `Index: ${index}, ${lines.join('')}`;
};

/** Why LinkedIn would reject this batch: one invalid event is enough. `undefined` if LinkedIn would accept it. */
export const refusalOf = (body: unknown, nowMs: number): ErrorAnswer | undefined => {
  const request = requestSchema.safeParse(body);
  if (!request.success) return badRequest('The request body is not a batch of elements.');
  const { elements } = request.data;
  if (elements.length > elementsMax) return badRequest(`The batch has more than ${elementsMax} elements.`);

  const read = elements.map((element) => elementSchema.safeParse(element, { reportInput: true }));
  const errors = read.flatMap(({ error }, index) => (error ? [errorsOf(index, error.issues)] : []));
  if (errors.length > 0) return unprocessable(errors.join(''));

  const times = read.map(({ data }) => data?.conversionHappenedAt ?? 0);
  const outside = times.flatMap((timeMs, index) =>
    timeMs > nowMs + aheadMaxMs || nowMs - timeMs > ageMaxMs ? [index] : [],
  );
  if (outside.length > 0) return outOfTime(outside);
  // the sandbox has every rule but this one
  return read.some(({ data }) => data?.conversion.endsWith(':0')) ? noAccount : undefined;
};
