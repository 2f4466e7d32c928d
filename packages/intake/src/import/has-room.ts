const openMax = 10;

/** Longer than any upload. */
export const abandonedAfter = '20 minutes';

/** SQL: whether fewer than ten files of the account $1 in the mode $2 are open. */
export const hasRoom = `(
  select count(*) from import
  where finished_at is null and id > 0 and account_id = $1 and is_test = $2 and state <> 'refused'
    and (state <> 'uploading' or created_at > now() - interval '${abandonedAfter}')
) < ${openMax}`;
