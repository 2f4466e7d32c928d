import { isCurrency, looksPersonal } from '@leadback/domain';
import { type ContactCipher, type Queryable, statement } from '@leadback/db';
import { isRecord, readBody } from './body.ts';
import { decryptRequest } from './content.ts';
import { findStoredSource, type WantedSource } from './sources.ts';

/** A value of a message and where it stands, so that a person can say what it means. */
export interface SampleField {
  readonly path: string;
  /** As it was sent if it names nobody; else its beginning. */
  readonly value: string;
}

const newest = statement<{ key: string; at: Date; content: Buffer }>(
  `select key, received_at as at, content from source_event
   where source_id = $1 and account_id = $2 and key is not null and content is not null order by id desc limit 1`,
);

const fieldsMax = 200;
const depthMax = 8;
const elementsMax = 2;
const valueLongest = 60;

const isTime = /^\d{4}-\d\d-\d\d[ T]/;
const isAmount = /^[\d.,]+[.,]\d\d?$/;

/** An amount, a time, a code, an id of few digits: nobody is named by it. */
const isPlain = (text: string): boolean =>
  isCurrency(text) ||
  isTime.test(text) ||
  isAmount.test(text) ||
  (/^[\w.,:+/-]{1,40}$/.test(text) && /\d/.test(text) && !looksPersonal(text));

const shown = (value: string | number | boolean): string => {
  const text = String(value);
  if (typeof value === 'boolean' || isPlain(text)) return text.slice(0, valueLongest);
  return text.length > 2 ? `${text.slice(0, 1)}•••` : '•••';
};

/** Of a list, the first elements: the others look alike. */
function* fieldsIn(value: unknown, path: string, depth = 0): Generator<SampleField> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if (path !== '' && value !== '') yield { path, value: shown(value) };
    return;
  }
  if (depth >= depthMax) return;
  const inner = Array.isArray(value)
    ? Object.entries(value.slice(0, elementsMax))
    : isRecord(value)
      ? Object.entries(value)
      : [];
  // a name with a dot is not found by a path
  for (const [name, one] of inner)
    if (!name.includes('.')) yield* fieldsIn(one, path === '' ? name : `${path}.${name}`, depth + 1);
}

/** What the newest message of a source has that is still kept; undefined: there is none. */
export const readSourceSample = async (
  on: Queryable,
  contacts: ContactCipher,
  wanted: WantedSource,
): Promise<{ readonly at: Date; readonly fields: readonly SampleField[] } | undefined> => {
  const { id: sourceId, accountId } = await findStoredSource(on, wanted);
  const [found] = await newest(on, [sourceId, accountId]);
  const { keys } = (await contacts.ofAccounts(on, [accountId]))(accountId);
  if (!found || !keys) return undefined;
  const request = decryptRequest(keys, { accountId, sourceId, key: found.key }, found.content);
  try {
    return { at: found.at, fields: [...fieldsIn(readBody(request), '')].slice(0, fieldsMax) };
  } catch {
    // it cannot be read, which its event says
    return { at: found.at, fields: [] };
  }
};
