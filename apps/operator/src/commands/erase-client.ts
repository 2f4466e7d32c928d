import { findAccount } from '@leadback/administration';
import { completeErasure, erasureTools, isAnyoneErased, performAtOnce } from '@leadback/erasure';
import { inTransaction } from '@leadback/db';
import { emailAddressSchema, optionalText } from '@leadback/domain';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { OperatorError } from '../operator-error.ts';
import { requireSetting } from '../require-setting.ts';

export const eraseClient = command({
  name: 'client erase',
  summary:
    'erase the personal data of a person, live and test, for good; conversions and metrics stay. Prints the id of the receipt',
  options: [
    ['--account <id>', 'account of the client'],
    ['--email <email>', 'everyone with this email, including visitors who only entered it on a landing page'],
    ['--reference <text>', 'externalReference of the client, live and test'],
    ['--lead <reference>', 'lead reference: this lead and all clients registered from it'],
  ],
  input: z.object({
    account: idSchema,
    email: emailAddressSchema,
    reference: optionalText(255),
    lead: optionalText(64),
  }),
  async run({ account, email, reference, lead }, { em, pool, actor, secretsKeys, backupsKeptDays }) {
    if ([email, reference, lead].filter((name) => name !== undefined).length !== 1) {
      throw new OperatorError('give one of --email E, --reference R and --lead L');
    }
    const tools = erasureTools(requireSetting('SECRETS_KEY', secretsKeys), backupsKeptDays);
    await findAccount(em, account);
    const subject = { email, externalReference: reference, leadReference: lead };
    const toAsk = { accountId: account, askedBy: 'operator', actor, subject } as const;
    const id = await inTransaction(pool, async (on) => {
      const performed = await performAtOnce(on, toAsk, tools);
      if (isAnyoneErased(performed.erased)) return performed.id;
      const by = email === undefined ? (lead === undefined ? 'reference' : 'lead reference') : 'email';
      // keeps no receipt of a mistyped email
      throw new OperatorError(`account ${account} has no person with this ${by}; erased persons are not found again`);
    });
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
