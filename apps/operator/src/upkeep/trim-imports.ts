import { setTimeout as pause } from 'node:timers/promises';
import { type Pool, preparedStatement } from '@leadback/db';
import { deleteImportRows } from '@leadback/intake';

const count = preparedStatement<{ imports: number }>(
  'count-expired-imports',
  `select count(*) as imports from import where created_at < now() - $1 * interval '1 day' and finished_at is not null`,
);

const next = preparedStatement<{ id: number }>(
  'next-expired-import',
  `select id from import
   where id > $2 and created_at < now() - $1 * interval '1 day' and finished_at is not null
   order by id limit 1`,
);

const deleteImport = preparedStatement('delete-expired-import', 'delete from import where id = $1');

interface TrimmedImports {
  readonly days: number;
  readonly isDryRun: boolean;
  readonly tell: (imports: number) => void;
}

/**
 * Deletes imports that were uploaded more than so many days ago, with their rows, 5,000 per statement; after each it
 * pauses for as long. Open imports are kept. Returns how many it deleted; a dry run only counts them.
 */
export const trimImports = async (pool: Pool, { days, isDryRun, tell }: TrimmedImports): Promise<number> => {
  if (isDryRun) return (await count(pool, [days]))[0]?.imports ?? 0;
  let deleted = 0;
  for (let after = 0; ; ) {
    const [found] = await next(pool, [days, after]);
    if (!found) return deleted;
    for (let isMore = true; isMore; ) {
      const startedAt = performance.now();
      isMore = await deleteImportRows(pool, found.id);
      await pause(performance.now() - startedAt);
    }
    await deleteImport(pool, [found.id]);
    deleted += 1;
    tell(deleted);
    after = found.id;
  }
};
