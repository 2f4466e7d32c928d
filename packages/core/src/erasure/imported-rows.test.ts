import { erasePerson } from './erase-person.ts';
import type { PersonToErase } from '@leadback/core/erasure/find-person';
import { type Account, transaction } from '@leadback/db';
import { itemRegistrars, workOnNextImport } from '@leadback/core/imports/work';
import { type NewImport, storeImport } from '@leadback/core/imports/store';
import { issueLeadReference, leadReferenceKeys } from '@leadback/domain/keys';
import {
  eventually,
  givenContacts,
  everyRow,
  givenAccount,
  givenClient,
  givenConversion,
  givenDatabase,
  givenLead,
  secretsKeys,
  unique,
  shared,
} from '@leadback/testing';
import { describe, expect, it } from 'vitest';

type Row = readonly [cells: readonly string[], outcome?: string, recordId?: number];

const clientColumns = ['leadReference', 'name', 'email', 'externalReference'];
const saleColumns = ['conversionExternalReference', 'clientExternalReference', 'email'];

const erased = (outcome: string, cells: number, message: string | null = null) => ({
  outcome,
  message,
  cells: Array.from({ length: cells }, () => ''),
});
const kept = (cells: readonly string[]) => ({ outcome: null, message: null, cells });

describe('client erase, in imported rows', async () => {
  const database = await shared(givenDatabase());

  const given = async ({ id }: Account, subject: string, columns: readonly string[], rows: readonly Row[]) => {
    const { pool } = database;
    const { rows: made } = await pool.query<{ id: string }>(
      `insert into import (account_id, is_test, is_dry_run, subject, columns, delimiter)
       values ($1, false, false, $2, $3, ',') returning id`,
      [id, subject, columns],
    );
    for (const [index, [cells, outcome, recordId]] of rows.entries()) {
      await pool.query(
        'insert into import_row (import_id, line, cells, outcome, record_id) values ($1, $2, $3, $4, $5)',
        [made[0]?.id, index + 2, JSON.stringify(cells), outcome, recordId],
      );
    }
  };
  const stored = async ({ id }: Account) => {
    const query = `select outcome, message, cells from import_row where import_id in
      (select id from import where account_id = $1) order by import_id, line`;
    return (await database.pool.query(query, [id])).rows;
  };
  const rowsWith = async (text: string) =>
    [...(await everyRow(database)).values()].flat().filter((row) => row.includes(text));
  const erase = ({ id: accountId }: Account, whom: Omit<PersonToErase, 'accountId' | 'decidedBy'>) =>
    transaction(database.pool, async (on) => {
      const { clientIds, ...counts } = await erasePerson(
        on,
        givenContacts(),
        { accountId, decidedBy: 'operator', ...whom },
        { id: 'E'.repeat(22), hasWaitedForImports: false },
      );
      return { ...counts, clients: clientIds.length };
    });

  it('empties the rows of a person by email, registered or not, and no others', async () => {
    const em = database.em();
    const conversion = await givenConversion(em, { client: { email: 'Ana@x.example', externalReference: 'A 1' } });
    const [client, account] = [await conversion.client.loadOrFail(), await conversion.account.loadOrFail()];
    await given(account, 'client', clientColumns, [
      [['l', 'Ana', ' ANA@x.example\u00A0', '']],
      [['l', 'Ana', '', '']],
      [['l', 'Ana', '', ''], 'created', client.id],
    ]);
    await given(account, 'conversion', saleColumns, [
      [['o', 'A 1\t', ''], 'refused'],
      [['o', '', 'JOSE\u0301FA@X.example'], 'repeated', conversion.id],
      [['o', 'C2', 'JOSE\u0301FA@x.example']],
    ]);
    expect(await erase(account, { email: 'ana@X.example' })).toMatchObject({ clients: 1, importedRows: 4 });
    expect(await stored(account)).toEqual([
      erased('refused', 4, 'erased'),
      kept(['l', 'Ana', '', '']),
      erased('created', 4),
      erased('refused', 3),
      erased('repeated', 3),
      kept(['o', 'C2', 'JOSE\u0301FA@x.example']),
    ]);
  });

  it('empties the rows that name the person as people write it', async () => {
    const em = database.em();
    const client = await givenClient(em, { email: 'ana@x.example', externalReference: 'A 1' });
    const [account, lead] = [await client.account.loadOrFail(), await client.lead.loadOrFail()];
    await given(account, 'client', clientColumns, [
      [['l', 'Luis', 'luis@x.example; Ana <ANA@x.example>', '']],
      [['l', 'Ana', '\u202aana@x.example\u202c', '']],
      [['l', 'Ana', '', 'A\u200b 1\ufeff']],
      [['l', 'Eva', 'Eva <eva@x.example>', '']],
      [[`https://shop.example/?serviceId=${lead.reference}#form`, 'Ana', '', '']],
    ]);
    expect(await erase(account, { email: 'ana@x.example' })).toMatchObject({ clients: 1, importedRows: 4 });
    expect(await stored(account)).toMatchObject([
      { outcome: 'refused' },
      { outcome: 'refused' },
      { outcome: 'refused' },
      { outcome: null },
      { outcome: 'refused' },
    ]);
  });

  it('empties the rows that name a client by its email or its lead if it is erased by its reference', async () => {
    const em = database.em();
    const email = 'jos\u00E9fa@x.example';
    const client = await givenClient(em, { email, externalReference: 'A 1' });
    const [account, lead] = [await client.account.loadOrFail(), await client.lead.loadOrFail()];
    await given(account, 'client', clientColumns, [
      [[lead.reference, 'Ana', '', '']],
      [[lead.reference, 'Eva', 'eva@x.example', '']],
      [[lead.reference, 'Eva', '', 'E 1']],
      [['l', 'Ana', '', '']],
    ]);
    await given(account, 'conversion', saleColumns, [
      [['o', '', 'JOSE\u0301FA@X.example'], 'refused'],
      [['o', 'E 1', 'eva@x.example']],
    ]);
    expect(await erase(account, { externalReference: 'A 1' })).toMatchObject({ clients: 1, importedRows: 2 });
    expect(await stored(account)).toEqual([
      erased('refused', 4, 'erased'),
      kept([lead.reference, 'Eva', 'eva@x.example', '']),
      kept([lead.reference, 'Eva', '', 'E 1']),
      kept(['l', 'Ana', '', '']),
      erased('refused', 3),
      kept(['o', 'E 1', 'eva@x.example']),
    ]);
  });

  it('empties the rows with the lead of a visitor that name no other email', async () => {
    const em = database.em();
    const lead = await givenLead(em, { email: 'ana@x.example' });
    const account = await lead.account.loadOrFail();
    await given(account, 'client', clientColumns, [
      [[lead.reference, 'Ana', '', 'A 1'], 'refused'],
      [[lead.reference, 'Eva', 'eva@x.example', '']],
    ]);
    expect(await erase(account, { email: 'ana@x.example' })).toMatchObject({ leads: 1, importedRows: 1 });
    expect(await stored(account)).toEqual([erased('refused', 4), kept([lead.reference, 'Eva', 'eva@x.example', ''])]);
  });

  it('waits for the slice of an import that an api is registering, and erases what it registers', async () => {
    const keys = leadReferenceKeys(secretsKeys);
    const lead = await givenLead(database.em(), { reference: issueLeadReference(keys) });
    const account = await lead.account.loadOrFail();
    const [canary, about] = [unique('canary'), { accountId: account.id, isTest: false, isDryRun: false } as const];
    const file = `leadReference,email\n${lead.reference},${canary}@x.example\n`;
    const sent: NewImport = { ...about, subject: 'client' };
    const { id } = await storeImport(database.pool, sent, new Blob([file]).stream());

    let erasing: Promise<unknown> = Promise.resolve();
    const { client, conversion } = itemRegistrars(keys, givenContacts());
    const slow: typeof client = async (on, mode, items) => {
      let isOver = false;
      erasing = erase(account, { email: `${canary}@x.example` }).finally(() => {
        isOver = true;
      });
      await eventually(async () => {
        const { rows } = await database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(isOver || rows.length > 0).toBe(true);
      });
      return client(on, mode, items);
    };
    const step = await workOnNextImport(database.pool, { client: slow, conversion });
    expect(step).toMatchObject({ id, rows: [{ outcome: 'created' }] });
    expect(await erasing).toMatchObject({ clients: 1, importedRows: 1 });
    expect(await rowsWith(canary)).toEqual([]);
  });

  it('does not hold up conversions of the person while it searches the imported rows', async () => {
    const em = database.em();
    const client = await givenClient(em, { email: 'ana@x.example', externalReference: 'A 1' });
    const account = await client.account.loadOrFail();
    await given(account, 'client', clientColumns, [[['l', 'Ana', 'ana@x.example', '']]]);
    const { pool } = database;
    const holder = await pool.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table import_row in access exclusive mode');
      const erasing = erase(account, { email: 'ana@x.example' });
      await eventually(async () => {
        const { rows } = await pool.query(
          `select 1 from pg_locks where not granted and relation = 'import_row'::regclass`,
        );
        expect(rows).toHaveLength(1);
      });
      await pool.query('select 1 from client where id = $1 for key share nowait', [client.id]);
      await holder.query('rollback');
      expect(await erasing).toMatchObject({ clients: 1, importedRows: 1 });
    } finally {
      holder.release();
    }
  });

  it('erases nothing of another account', async () => {
    const em = database.em();
    const [account, other] = [await givenAccount(em), await givenAccount(em)];
    await given(other, 'client', clientColumns, [[['l', 'Ana', 'ana@x.example', '']]]);
    expect(await erase(account, { email: 'ana@x.example' })).toMatchObject({ importedRows: 0 });
    expect(await stored(other)).toEqual([kept(['l', 'Ana', 'ana@x.example', ''])]);
  });
});
