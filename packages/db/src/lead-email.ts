/**
 * SQL: the email of a lead as `lead_email_index` has it. JavaScript compares letters beyond ASCII, independent of the
 * database's locale: leads with such an email are all under the empty text. For a search, add `email is not null`.
 */
export const leadEmail = `(case when email ~ '[^ -~]' then '' else lower(btrim(email)) end)`;
