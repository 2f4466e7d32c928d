import { importBytesMax, importsBytesMax, Refusal } from '@leadback/domain';

const openMax = 10;

/** Longer than any upload. */
export const abandonedAfter = '20 minutes';

/** SQL: whether fewer than ten files of the account $1 in the mode $2 are open. */
export const hasRoom = `(
  select count(*) from import
  where finished_at is null and id > 0 and account_id = $1 and is_test = $2 and state <> 'refused'
    and (state <> 'uploading' or created_at > now() - interval '${abandonedAfter}')
) < ${openMax}`;

// one that is being stored may be as large as any
const keptBytes = `(
  select coalesce(sum(case state when 'uploading' then ${importBytesMax} else bytes end), 0) from import
  where account_id = $1 and is_test = $2 and state <> 'refused')`;

/** SQL: whether a file of so many bytes, an expression, has room beside those of the account $1 in the mode $2 that are kept. */
export const hasBytesFor = (bytes: string): string => `${keptBytes} + ${bytes} <= ${importsBytesMax}`;

/** SQL: whether one more file of any size has. */
export const hasBytes: string = hasBytesFor(String(importBytesMax));

export interface Room {
  readonly hasRoom: boolean;
  readonly hasBytes: boolean;
}

/** Throws `rate-limited` or `invalid-fields`. */
export const requireRoom = (room: Room | undefined): void => {
  if (room?.hasRoom !== true) throw new Refusal('rate-limited.imports');
  if (!room.hasBytes) throw new Refusal('invalid-fields.imports');
};
