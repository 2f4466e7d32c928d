import { preparedStatement, type Queryable } from '@leadback/db';
import type { ReceiptKey } from '@leadback/secrets';

const read = preparedStatement<{ id: string; public_key: Buffer }>(
  'read-receipt-keys',
  'select id, public_key from receipt_key order by created_at, id',
);

/** Each key that has ever signed a receipt, the oldest first: as many as `SECRETS_KEY` was rotated. */
export const readReceiptKeys = async (on: Queryable): Promise<ReceiptKey[]> =>
  (await read(on, [])).map(({ id, public_key: publicKey }) => ({ id, publicKey }));
