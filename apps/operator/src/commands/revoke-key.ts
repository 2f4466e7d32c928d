import { ApiKey } from '@leadback/db';
import { audit } from '@leadback/people';
import { raw } from '@mikro-orm/core';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { keyRow } from '../key-row.ts';
import { OperatorError } from '../operator-error.ts';

export const revokeKey = command({
  name: 'key revoke',
  summary: 'revoke a key for good, within 10 s everywhere',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, { em, actor }) {
    return em.transactional(async (tx) => {
      // a key that is already revoked keeps its time
      await tx.nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: raw('now()') });
      const key = await tx.findOne(ApiKey, id);
      if (!key) throw new OperatorError(`there is no key ${id}`);
      await audit(tx, { actor, action: 'key.revoke', accountId: key.account.id, target: `key ${id}` });
      return keyRow(key);
    });
  },
});
