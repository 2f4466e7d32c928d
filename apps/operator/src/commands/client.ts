import { readFile } from 'node:fs/promises';
import { findAccount } from '@leadback/core/accounts/accounts';
import { pageUrl } from '@leadback/core/pages/pages';
import { transaction, contactCipher, type PoolClient } from '@leadback/db';
import { emailAddressSchema, optionalLeadReferenceSchema, optionalText } from '@leadback/domain';
import { allowPerson, isAnyoneErased } from '@leadback/core/erasure/erase-person';
import type { ErasedPerson } from '@leadback/core/erasure/ask/ask-erasure';
import { completeErasure, erasureTools, performAtOnce } from '@leadback/core/erasure/perform-erasure';
import { z } from 'zod';
import {
  type Receipt,
  receiptSchema,
  readErasure,
  type SignedReceipt,
  readReceiptKeys,
  verifyReceipt as verify,
} from '@leadback/core/erasure/ask/receipt';
import { type ReceiptKey, receiptKeyId } from '@leadback/domain/keys';
import { isAgreed } from '../ask.ts';
import { pluralize } from '../doctor/check.ts';
import { command, type Row } from '../command.ts';
import { idSchema, OperatorError } from '../options.ts';
import { requireSetting } from '../settings.ts';

export const allowClient = command({
  name: 'client allow',
  summary: 'let an account register an erased person again whom it suppresses; nothing that was erased comes back',
  options: [
    ['--account <id>', 'account that suppresses the person'],
    ['--email <email>', 'email with which the person was erased'],
    ['--phone <number>', 'phone number with which the person was erased'],
    ['--erasure <id>', 'id of the erasure, which the refusal names'],
  ],
  columns: ['account', 'erasure'],
  input: z.object({
    account: idSchema,
    email: emailAddressSchema,
    phone: optionalText(40),
    erasure: optionalText(22),
  }),
  async run({ account, email, phone, erasure }, { em, pool, actor, secretsKeys }) {
    if ([email, phone, erasure].filter((name) => name !== undefined).length !== 1) {
      throw new OperatorError('give one of --email E, --phone N and --erasure ID');
    }
    const contacts = contactCipher(requireSetting('SECRETS_KEY', secretsKeys));
    await findAccount(em, account);
    const person = { accountId: account, email, phoneNumber: phone, erasureId: erasure, actor };
    const ids = await allowPerson(pool, contacts, person);
    if (ids.length === 0) throw new OperatorError(`account ${account} suppresses nobody with this name`);
    return ids.map((id) => ({ account, erasure: id }));
  },
});

/** Takes an erasure back that was only tried. */
class OnlyTried extends Error {
  override readonly name = 'OnlyTried';
  readonly erased: ErasedPerson;

  constructor(erased: ErasedPerson) {
    super('only tried');
    this.erased = erased;
  }
}

export const eraseClient = command({
  name: 'client erase',
  summary:
    'erase the personal data of a person, live and test, for good; conversions and metrics stay. Prints the id of the receipt',
  options: [
    ['--account <id>', 'account of the client'],
    ['--email <email>', 'everyone with this email, including visitors who only entered it on a landing page'],
    ['--reference <text>', 'externalReference of the client, live and test'],
    ['--lead <reference>', 'lead reference: this lead and all clients registered from it'],
    ['--dry-run', 'count what would be erased, and erase nothing'],
    ['--yes', 'erase without a question; without a terminal, there is none'],
  ],
  input: z.object({
    account: idSchema,
    email: emailAddressSchema,
    reference: optionalText(255),
    lead: optionalLeadReferenceSchema,
    dryRun: z.boolean().default(false),
    yes: z.boolean().default(false),
  }),
  async run(
    { account, email, reference, lead, dryRun, yes },
    { em, pool, actor, secretsKeys, backupsKeptDays, stdin, stderr },
  ) {
    if ([email, reference, lead].filter((name) => name !== undefined).length !== 1) {
      throw new OperatorError('give one of --email E, --reference R and --lead L');
    }
    const tools = erasureTools(requireSetting('SECRETS_KEY', secretsKeys), backupsKeptDays);
    await findAccount(em, account);
    const subject = { email, externalReference: reference, leadReference: lead };
    const toAsk = { accountId: account, askedBy: 'operator', actor, subject } as const;
    const erase = async (on: PoolClient) => {
      const performed = await performAtOnce(on, toAsk, tools);
      if (isAnyoneErased(performed.erased)) return performed;
      const by = email === undefined ? (lead === undefined ? 'reference' : 'lead reference') : 'email';
      // keeps no receipt of a mistyped email
      throw new OperatorError(`account ${account} has no person with this ${by}; erased persons are not found again`);
    };
    const tryIt = (): Promise<ErasedPerson> =>
      transaction(pool, async (on): Promise<never> => {
        throw new OnlyTried((await erase(on)).erased);
      }).catch((error: unknown) => {
        if (error instanceof OnlyTried) return error.erased;
        throw error;
      });
    if (dryRun || (!yes && stdin.isTTY === true)) {
      const { clientIds, leads, importedRows, listedRows } = await tryIt();
      if (dryRun) {
        const next = 'Nothing was erased. Without --dry-run, they are erased for good.';
        return { dryRun: true, account, clients: clientIds.length, leads, importedRows, listedRows, next };
      }
      const counted = `${pluralize(clientIds.length, 'client')} and ${pluralize(leads, 'lead')}`;
      if (!(await isAgreed(`Erase the personal data of ${counted} for good?`, { stdin, stderr })))
        throw new OperatorError('nothing was erased; --dry-run counts more, --yes erases without a question');
    }
    const { id } = await transaction(pool, erase);
    const later = `the person is erased. An api counts for the receipt: run "receipt show ${id}" in a few minutes`;
    const result = await completeErasure(pool, id, tools).catch((cause: unknown) => {
      throw new OperatorError(later, { cause });
    });
    if (!result) throw new OperatorError(later);
    const { clientIds, platformsTold, ...counts } = result;
    const told = platformsTold.map(({ platform }) => platform).join(', ');
    return { receipt: id, account, clients: clientIds.length, ...counts, platformsTold: told };
  },
});

/** The content of a receipt. */
const parseReceipt = (text: string): Receipt => receiptSchema.parse(JSON.parse(text));

/** What a table shows of a receipt. */
const receiptRow = ({ erased, kept, platformsTold, pendingSkipped, notReached, ...receipt }: Receipt): Row => ({
  askedBy: receipt.askedBy,
  requestedAt: receipt.requestedAt,
  finishedAt: receipt.finishedAt,
  ...erased,
  pendingSkipped,
  kept: kept.map(({ what, count = '', why }) => ({ what, count, why })),
  platformsTold,
  notReached: notReached.map(({ what, until = '', why }) => ({ what, until, why })),
});

export const showReceipt = command({
  name: 'receipt show',
  summary: 'show an erasure and its receipt; `--json` prints what `receipt verify` reads',
  argument: '<id>',
  input: z.object({ id: z.string() }),
  async run({ id }, { pool, landingUrl }) {
    const erasure = await readErasure(pool, id);
    if (!erasure) throw new OperatorError(`there is no erasure ${id}; \`client erase\` and the API return its id`);
    return { ...erasure, url: pageUrl(landingUrl, `data/receipt/${id}`) };
  },
  shown: ({ receipt, signature, keyId, ...erasure }) => ({
    ...erasure,
    ...(receipt !== null && { ...receiptRow(parseReceipt(receipt)), signature, keyId }),
  }),
});

const signedReceiptSchema = z.object({ receipt: z.string(), signature: z.string(), keyId: z.string() });
const pendingSchema = z.object({ receipt: z.null() });
const keysSchema = z.object({
  keys: z.array(z.object({ id: z.string(), algorithm: z.literal('Ed25519'), publicKey: z.base64() })),
});

const readJson = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new OperatorError(`${path}: no file that this user may read`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError(`${path}: not JSON`);
  }
};

/** The file that the page of a receipt, the API or the console gives. */
const readReceiptFile = async (path: string): Promise<SignedReceipt> => {
  const content = await readJson(path);
  const { success, data } = signedReceiptSchema.safeParse(content);
  if (success) return data;
  if (pendingSchema.safeParse(content).success) {
    throw new OperatorError(`${path}: the erasure had no receipt yet; download it again when its state is done`);
  }
  throw new OperatorError(
    `${path}: expected {"receipt": "…", "signature": "…", "keyId": "…"}, as the JSON of /data/receipt/ID or the API has it`,
  );
};

/** The file of `/.well-known/leadback-receipts.json`. */
const readKeysFile = async (path: string): Promise<ReceiptKey[]> => {
  const { success, data } = keysSchema.safeParse(await readJson(path));
  if (!success) throw new OperatorError(`${path}: expected the file of /.well-known/leadback-receipts.json`);
  return data.keys.map(({ id, publicKey }) => {
    const key = { id, publicKey: Buffer.from(publicKey, 'base64') };
    // an id stands for one key alone
    if (receiptKeyId(key.publicKey) !== id) throw new OperatorError(`${path}: the key ${id} was changed`);
    return key;
  });
};

const verified = async (path: string, keys: readonly ReceiptKey[]): Promise<Row> => {
  const signed = await readReceiptFile(path);
  const verdict = verify(keys, signed);
  if (verdict === 'changed') {
    throw new OperatorError(`${path}: not genuine: the receipt or its signature was changed. Do not rely on it.`);
  }
  if (verdict === 'unknown-key') {
    throw new OperatorError(
      `${path}: signed with the key ${signed.keyId}, which is not among the keys. Give those of /.well-known/leadback-receipts.json on the host of its landing pages with --keys.`,
    );
  }
  const receipt = parseReceipt(signed.receipt);
  const { id, installation, accountId: account } = receipt;
  return { verdict, id, installation, account, ...receiptRow(receipt), keyId: signed.keyId };
};

export const verifyReceipt = command({
  name: 'receipt verify',
  summary: 'say whether a receipt of an erasure is genuine; exit status 1 if it is not',
  argument: '<file>',
  options: [
    [
      '--keys <file>',
      'the file of /.well-known/leadback-receipts.json; with it, no database and no settings are needed',
    ],
  ],
  input: z.object({ id: z.string(), keys: z.string().optional() }),
  runOffline: async ({ id: path, keys }) => (keys === undefined ? undefined : verified(path, await readKeysFile(keys))),
  run: async ({ id: path }, { pool }) => verified(path, await readReceiptKeys(pool)),
});
