import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const idShape = /^[\w.:-]{1,64}$/;

/** A valid `x-request-id` of the caller, otherwise a new one. */
export const requestIdOf = ({ headers }: IncomingMessage): string => {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && idShape.test(sent) ? sent : randomUUID();
};
