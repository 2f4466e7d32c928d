import type { FieldTexts } from '@leadback/core/connections/content';
import { z } from 'zod';
import type { Account } from '@leadback/db';
import { platformList } from '@leadback/platforms';

/** `clientSecret` → `--client-secret` */
export const optionFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Messages about connections name options. */
export const optionTexts: FieldTexts = {
  field: ({ name, isFile }) => optionFlag(name) + (isFile ? ' @key.json' : ''),
  mapping: (eventName, value) => `--map-event ${eventName}=${value}`,
};

export const expectedId = 'expected a whole number, 1 or more';

export const idSchema = z.coerce.number(expectedId).refine((id) => Number.isSafeInteger(id) && id > 0, expectedId);

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const titlesOf = (canLimitUse: boolean) =>
  list.format(platformList.filter((platform) => platform.canLimitUse === canLimitUse).map(({ title }) => title));

export const accountOptions = [
  ['--name <name>', 'name of the account'],
  ['--country <code>', 'country of phone numbers without a country code (ISO 3166-1), default AR'],
  ['--rate-limit <n>', 'requests per second of each key, default 200'],
  [
    '--gpc <reading>',
    `how to treat Global Privacy Control of a browser. respect (default): as an opt-out of sale and sharing, as the CCPA/CPRA regulations read it. Only Meta and TikTok, which can mark an event as opted out, receive events. measure: for accounts whose legal basis covers measurement: ${titlesOf(true)} receive events marked for measurement only, ${titlesOf(false)} nothing`,
  ],
  [
    '--erased <reading>',
    'whether persons who were erased may be registered again. allow (default). suppress: the API refuses a new client with the email or phone number of an erased person, and landing pages do not keep them',
  ],
  [
    '--attribution <click>',
    'which of the clicks of a client before a sale counts. last (default): the newest of each platform. first: the first of each platform. Holds for sales that are registered from now on',
  ],
  [
    '--event-id-prefix <text>',
    "what the event ids of conversions begin with, so that two accounts can report the same order numbers to one destination. At most 16 characters; '' (default): nothing. The account's pixel must send its ids with it, too. Holds for sales that are registered from now on",
  ],
  [
    '--currencies <codes>',
    'in which sales may be registered: codes of ISO 4217 with commas, the main one first; default USD,ARS. Sales that are registered stay, and can be adjusted',
  ],
  [
    '--time-zone <name>',
    'in which its days begin, as in your ad accounts: an IANA name such as America/Argentina/Buenos_Aires; default UTC. A change counts all days again that are kept',
  ],
] as const;

/** Of `accountRow`. */
export const accountColumns = [
  'id',
  'name',
  'status',
  'gpc',
  'erased',
  'attribution',
  'eventIdPrefix',
  'currencies',
  'timeZone',
  'pages',
  'country',
  'rateLimit',
  'createdAt',
];

export const accountRow = ({
  id,
  name,
  status,
  gpcReading,
  erasedPersons,
  attribution,
  eventIdPrefix,
  currencies,
  timeZone,
  hidesPages,
  country,
  rateLimit,
  createdAt,
}: Account) => ({
  id,
  name,
  status,
  gpc: gpcReading,
  erased: erasedPersons,
  attribution,
  eventIdPrefix,
  currencies,
  timeZone,
  pages: hidesPages ? 'hidden' : 'online',
  country,
  rateLimit,
  createdAt,
});

/** An error whose message is printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
