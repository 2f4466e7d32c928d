import { z } from 'zod';
import { looksPersonal } from './contact.ts';
import { type Currency, decimalsOf, roundedAmount } from './currency.ts';
import { emailAddressOf, isPlainName, unknownFields } from './fields.ts';
import { isNobodysEmail } from './nobody.ts';

interface WarningText {
  /** For the documentation, in Markdown. */
  readonly meaning: string;
  /** For the caller of a test key: names the field and what to do, and never quotes input. */
  readonly message: (field: string) => string;
}

/**
 * Everything that the API accepts, but not as sent. The codes are in the header `Leadback-Warning` and in the results of
 * batches. A closed list: callers rely on these codes.
 */
export const warnings = {
  'unknown-field': {
    meaning: 'The endpoint has no such field, and it was ignored: it may be misspelt. A test key gets 400 instead.',
    message: (field) => `\`${field}\` is no field of this request, and was ignored.`,
  },
  rounded: {
    meaning: 'The amount has more decimals than its currency, and was rounded half up.',
    message: (field) => `\`${field}\` has more decimals than its currency, and was rounded.`,
  },
  'not-usable': {
    meaning:
      'The value is not used, or only a part of it. `email`: it is no address, or has more around its first address, which counts; or it stands for none, such as `test@test.com`, and platforms are not told it. `phoneNumber`: it gives no number in the country of the account. `name`, `phoneNumber` of a sale without `leadReference`: they describe a new client alone. `netAmount`: it is larger than `amount`, and is ignored. `ip`: it is no IP address. `userAgent`: it is of a crawler, a link preview or a command-line client, so no lead was recorded.',
    message: (field) => notUsable[field] ?? `\`${field}\` is not used: a sale takes it only with a \`leadReference\`.`,
  },
  'kept-first': {
    meaning: 'The client is known with another value of this contact field. The first one stays.',
    message: (field) => `\`${field}\` is not what this client was registered with: the first value stays.`,
  },
  'two-clients': {
    meaning:
      'The identifiers name more than one client: `clientExternalReference` one and `email` another, and the reference counts; or `email` several, and the newest counts.',
    message: (field) =>
      `\`${field}\` names another client, or several: the one with the \`clientExternalReference\` counts, or else the newest. Send the \`clientExternalReference\` of the buyer.`,
  },
  'no-external-reference': {
    meaning:
      'The sale has no `conversionExternalReference`: a program that runs again registers it again. An `Idempotency-Key` helps for 24 hours only.',
    message: (field) =>
      `Send \`${field}\`, such as the order number: without it, a sale that is sent again counts twice. An \`Idempotency-Key\` prevents that for 24 hours only.`,
  },
  'lead-ignored': {
    meaning: 'The client is known, and no click was added: no lead of the account has this reference.',
    message: (field) =>
      `\`${field}\` added no click to this client: it names no lead of your account. Pass on the value of serviceId whole and unchanged.`,
  },
} as const satisfies Readonly<Record<string, WarningText>>;

const unreadablePhone =
  "`phoneNumber` is not a valid number of your account's country: send it with its country code, such as +54 11 2345-6789.";

const notUsable: Readonly<Record<string, string>> = {
  email:
    '`email` is no address, has more around it (the first address in it counts), or stands for none, such as test@test.com. Send one address alone, or leave it out.',
  phoneNumber: unreadablePhone,
  ip: "`ip` is no IP address, and is ignored: send the visitor's own address alone.",
  userAgent: '`userAgent` is not of a browser, so no lead was recorded: send that of the visitor.',
  netAmount: '`netAmount` is larger than `amount`, and is ignored: send the part of the amount that you earn.',
};

export type WarningCode = keyof typeof warnings;

const isWarningCode = (name: string): name is WarningCode => name in warnings;

export const warningCodes: readonly WarningCode[] = Object.keys(warnings).filter(isWarningCode);

/** Something that was accepted, but not as sent. Never has a value. */
export const warningSchema = z.object({
  code: z.enum(warningCodes),
  field: z.string().meta({ description: 'The name of the field.' }),
});
export type Warning = Readonly<z.infer<typeof warningSchema>>;

/** The text of a warning for a test key. */
export const warningText = ({ code, field }: Warning): string => warnings[code].message(field);

/** The value of the header `Leadback-Warning`: `rounded;field=amount, not-usable;field=email`. Undefined: no warnings. */
export const warningHeader = (given: readonly Warning[]): string | undefined =>
  given.length === 0 ? undefined : given.map(({ code, field }) => `${code};field=${field}`).join(', ');

// a body may have thousands
const unknownMost = 20;

/**
 * The fields that the schema does not know. Responses are logged in more places than requests, so a name that could be data of a
 * person, or that no header can have, is told as the object that it is in.
 */
export const unknownFieldWarnings = (schema: z.ZodType, sent: unknown): Warning[] => {
  const unknown = unknownFields(schema, sent);
  if (unknown.length === 0) return [];
  const named = unknown.map(({ path }) => {
    const name = String(path.at(-1));
    const told = isPlainName(name) && !looksPersonal(name) ? path : path.slice(0, -1);
    return told.length === 0 ? 'body' : told.join('.');
  });
  return [...new Set(named)].slice(0, unknownMost).map((field) => ({ code: 'unknown-field', field }));
};

// sums of binary numbers, such as 0.1 + 0.2
const imprecision = 1e-13;

/** `amount`: a decimal, as sent. `currency`: in which it was stored. */
export const amountWarnings = (amount: string | undefined, currency: Currency, field = 'amount'): Warning[] => {
  if (amount === undefined) return [];
  const point = amount.indexOf('.');
  if (!amount.includes('e') && (point < 0 || amount.length - point - 1 <= decimalsOf(currency))) return [];
  const sent = Number(amount);
  const isStored = Math.abs(sent - Number(roundedAmount(amount, currency))) <= sent * imprecision;
  return isStored ? [] : [{ code: 'rounded', field }];
};

/** `email`: of a contact, as sent. */
export const emailWarnings = (email: string | undefined): Warning[] =>
  email === undefined || (emailAddressOf(email) === email && !isNobodysEmail(email.toLowerCase()))
    ? []
    : [{ code: 'not-usable', field: 'email' }];
