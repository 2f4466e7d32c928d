import { nearestName } from '@leadback/domain';
import type { z } from 'zod';
import { expectedId, OperatorError, optionFlag } from './options.ts';

const flagOf = (name: PropertyKey): string => (name === 'id' ? 'ID' : optionFlag(String(name)));

const choices = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const isRecord = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a message says what is expected, beyond that it is something. */
const saysMore = (message: string): boolean => !/^(Invalid |expected a (string|text)$)/.test(message);

const describeIssue = (issue: z.core.$ZodIssue, input: unknown): string => {
  const [name] = issue.path;
  if (name === undefined) return issue.message;
  const typed = isRecord(input) ? input[name] : undefined;
  const flag = flagOf(name);
  if (typed === undefined && issue.message === expectedId && (name === 'account' || name === 'connection'))
    return `${flag} is missing: expected ${name === 'account' ? 'the name or id of an account' : 'the label or id of a connection'}`;
  if (typed === undefined)
    return saysMore(issue.message) ? `${flag} is missing: ${issue.message}` : `${flag} is missing`;
  // other messages of a list say more than its values
  if (issue.code !== 'invalid_value' || !issue.message.startsWith('Invalid ')) return `${flag}: ${issue.message}`;
  const known = issue.values.map(String);
  const nearest = typeof typed === 'string' ? nearestName(typed, known) : undefined;
  const expected = `expected ${choices.format(known)}`;
  return `${flag}: ${nearest === undefined ? expected : `${expected}; did you mean ${nearest}?`}`;
};

/** What was typed, as the command takes it; throws an OperatorError that says which options to change. */
export const parseInput = <Input extends z.ZodType>(schema: Input, input: unknown): z.output<Input> => {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  throw new OperatorError([...new Set(error.issues.map((issue) => describeIssue(issue, input)))].join('\n'));
};
