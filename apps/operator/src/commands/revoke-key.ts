import { revokeKey as revoke } from '@leadback/administration';
import { z } from 'zod';
import { command } from '../command.ts';
import { idSchema } from '../id-schema.ts';
import { keyRow } from '../key-row.ts';

export const revokeKey = command({
  name: 'key revoke',
  summary: 'revoke a key for good, within 10 s everywhere',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  run: async ({ id }, { em, actor }) => keyRow(await revoke(em, { id, actor })),
});
