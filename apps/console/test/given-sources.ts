import { erasureKeys } from '@leadback/core/erasure/ask/ask-erasure';
import { findSource } from '@leadback/core/sources/open';
import { sourceReceiver } from '@leadback/core/sources/receive';
import { pathHashOf } from '@leadback/core/sources/secrets';
import { workOnNextEvents } from '@leadback/core/sources/work';
import { leadReferenceKeys } from '@leadback/domain/keys';
import { givenContacts, secretsKeys } from '@leadback/testing';
import { z } from 'zod';
import type { TestConsole } from './given-console.ts';

interface Message {
  /** Where the other side sends to. */
  readonly url: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends to a source as its other side does, and works on it, as an api does. Returns what was received. */
export const sendToSource = async ({ database: { pool } }: TestConsole, message: Message) => {
  const { url, query = '', headers = {}, body } = message;
  const tools = { secretsKeys, referenceKeys: leadReferenceKeys(secretsKeys), contacts: givenContacts() };
  const hash = z.instanceof(Buffer).parse(pathHashOf(new URL(url).pathname.replace('/source/', '')));
  const source = await findSource(pool, hash);
  if (!source) return 'unknown';
  const received = await sourceReceiver(pool, tools)(source, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    query,
    body: Buffer.from(body ?? ''),
  });
  const working = { ...tools, erasureKeys: erasureKeys(secretsKeys), announce: () => {} };
  while (await workOnNextEvents(pool, working));
  return received;
};
