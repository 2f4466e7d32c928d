import { ApiKey } from '@leadback/db';
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
  async run({ id }, { em }) {
    // a key that is already revoked keeps its time
    await em.nativeUpdate(ApiKey, { id, revokedAt: null }, { revokedAt: raw('now()') });
    const key = await em.findOne(ApiKey, id);
    if (!key) throw new OperatorError(`there is no key ${id}`);
    return keyRow(key);
  },
});
