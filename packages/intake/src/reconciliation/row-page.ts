/**
 * SQL for `with recursive`: `page`, with the numbers of the first $4 rows `r` after number $3 that meet a condition. The
 * condition must fit one index that has the number next. One row after the other: a plan for all of them at once, made
 * while the table is small, would read and sort every row that meets it.
 */
export const rowPage = (condition: string): string => {
  const next = (after: string) =>
    `select r.number from reconciliation_row r where ${condition} and r.number > ${after} order by r.number limit 1`;
  return `page (number, place) as (
     (select first.number, 1 from (${next('$3')}) first)
     union all
     select following.number, page.place + 1 from page cross join lateral (${next('page.number')}) following
     where page.place < $4
   )`;
};

/** The same for all rows, whose numbers leave none out. */
export const allRowsPage = 'page (number) as (select $3 + generate_series(1, $4::int))';

/** SQL: rows `r` of the reconciliation $1 of the account $2 in that page. */
export const rowsOfPage = `
  (select id from reconciliation where id = $1 and account_id + 0 = $2 limit 1) mine
  cross join page
  cross join lateral (
    select * from reconciliation_row where reconciliation_id = $1 and number = page.number limit 1
  ) r`;

export const withOutcome = (outcome: string): string => `r.outcome = ${outcome} and r.reconciliation_id + 0 = $1`;
