import type { Account } from '@leadback/db';
import { givenAccount, givenClient, givenConnection, givenLead, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { importsReply, previewImportReply, resultRowsReply } from '../src/contract/imports.ts';
import { givenConsole } from './given-console.ts';
import { filesOf, workOffFiles } from './given-files.ts';

const header = 'conversionExternalReference,clientExternalReference,amount,currency\n';
const dayMs = 86_400_000;

describe('imports in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  let files: ReturnType<typeof filesOf>;
  beforeEach(async () => {
    const em = console.database.em();
    account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1' });
    files = filesOf(console, person, account.id);
  });

  const conversions = async () => {
    const { rows } = await console.database.pool.query<{ reference: string; is_test: boolean }>(
      `select coalesce(external_reference, test_reference) as reference, is_test from conversion
       where account_id = $1 order by id`,
      [account.id],
    );
    return rows;
  };
  const register = (id: number) => person.post(files.path(`imports/${id}/register`), {});
  const told = async (id: number, query: string) =>
    resultRowsReply.parse((await person.get(files.path(`imports/${id}/rows?${query}`))).body);

  it('begin with a dry run that sums up each currency and registers nothing', async () => {
    const rows =
      'o1,C1,10.0050,USD\no2,C1,20.50,USD\no3,C1,3000,ARS\no1,C1,10.0050,USD\no1,C1,9,USD\no4,nobody,7,USD\n';
    const dryRun = await files.tried(`${header}${rows}`, 'of=conversion&name=october.csv');
    expect(dryRun).toMatchObject({
      of: 'conversion',
      isDryRun: true,
      isTest: false,
      state: 'done',
      rows: 6,
      done: 6,
      counts: { created: 3, existing: 0, repeated: 1, differs: 1, not_from_an_ad: 1, not_paid: 0, refused: 0 },
      money: [
        { currency: 'USD', amount: '30.51' },
        { currency: 'ARS', amount: '3000.00' },
      ],
      fileName: 'october.csv',
      createdBy: person.email,
      registeredAs: null,
    });
    expect(await conversions()).toEqual([]);
  });

  it('show how a file will be read and why rows will be refused, store nothing, and keep what was chosen', async () => {
    const file = 'Pedido;Cliente;Neto\no1;C1;1.500\no2;C1;x\n';
    const chosen = {
      columns: { Pedido: 'conversionExternalReference', Cliente: 'clientExternalReference', Neto: 'amount' },
      currency: 'ARS',
      decimalMark: ',',
    };
    const preview = async (choices?: unknown) => {
      const query = choices === undefined ? '' : `&choices=${encodeURIComponent(JSON.stringify(choices))}`;
      const reply = await person.upload(files.path(`imports/preview?of=conversion${query}`), file);
      return previewImportReply.parse(reply.body);
    };
    const asked = await preview({ columns: chosen.columns });
    expect(asked).toMatchObject({ missing: ['currency'], questions: ['decimalMark'], rows: 2, isRemembered: false });
    const answered = await preview(chosen);
    expect(answered).toMatchObject({ missing: [], questions: [], choices: chosen, isRemembered: false });
    expect(answered.samples).toMatchObject([
      { line: 2, fields: { conversionExternalReference: 'o1', amount: 1500, currency: 'ARS' }, message: null },
      { line: 3, message: expect.stringMatching(/^amount: expected/) },
    ]);
    const { rows } = await console.database.pool.query('select 1 from import where account_id = $1', [account.id]);
    expect([rows, await files.audited()]).toEqual([[], []]);

    const query = `of=conversion&choices=${encodeURIComponent(JSON.stringify(chosen))}`;
    expect(await files.tried(file, query)).toMatchObject({
      counts: { created: 1, refused: 1 },
      money: [{ currency: 'ARS', amount: '1500.00' }],
    });
    expect(await preview()).toMatchObject({ missing: [], questions: [], choices: chosen, isRemembered: true });
    const { status } = await person.upload(files.path('imports/preview?of=conversion&choices={"x":1}'), file);
    expect(status).toBe(400);
  });

  it('register what the dry run counted, once however often it is asked for', async () => {
    const dryRun = await files.tried(`${header}o1,C1,10,USD\no2,nobody,7,USD\n`);
    const replies = await Promise.all([register(dryRun.id), register(dryRun.id), register(dryRun.id)]);
    const [id = 0, ...others] = replies.map(files.idOf);
    expect([replies.map(({ status }) => status), others]).toEqual([
      [202, 202, 202],
      [id, id],
    ]);
    await workOffFiles(console);
    expect(await files.readImport(id)).toMatchObject({
      isDryRun: false,
      state: 'done',
      counts: { created: 1, not_from_an_ad: 1, refused: 0 },
      money: [{ currency: 'USD', amount: '10.00' }],
      dryRunId: dryRun.id,
    });
    expect(await files.readImport(dryRun.id)).toMatchObject({ registeredAs: id });
    expect(await conversions()).toEqual([{ reference: 'o1', is_test: false }]);
    const actor = person.email;
    expect(await files.audited()).toEqual([
      {
        actor,
        action: 'import.create',
        target: `import ${dryRun.id}`,
        details: { of: 'conversion', isTest: false, isDryRun: true },
      },
      { actor, action: 'import.register', target: `import ${id}`, details: { dryRun: dryRun.id } },
    ]);
  });

  it('keep the mode of their dry run', async () => {
    await givenClient(console.database.em(), { account, externalReference: 'C1', isTest: true });
    const dryRun = await files.tried(`${header}o1,C1,10,USD\n`, 'of=conversion&test=true');
    await register(dryRun.id);
    await workOffFiles(console);
    expect(await conversions()).toEqual([{ reference: 'o1', is_test: true }]);
  });

  it('register clients without a reference once, also if their file is sent again', async () => {
    const { reference } = await givenLead(console.database.em(), { account });
    const file = `leadReference,name\n${reference},Ana\n${reference},Eva\n`;
    const first = await files.tried(file, 'of=client');
    await register(first.id);
    await workOffFiles(console);
    const again = await files.tried(file, 'of=client');
    expect([first.counts.created, again.counts]).toEqual([2, expect.objectContaining({ created: 0, existing: 2 })]);
    const reply = await register(again.id);
    expect([reply.status, reply.headers.get('leadback-error')]).toEqual([409, 'conflict']);
  });

  it('show the line and the reason of each row that was refused or differs, page by page', async () => {
    const refused = Array.from({ length: 60 }, (_, index) => `r${index},nobody,1,USD\n`).join('');
    const dryRun = await files.tried(`${header}o1,C1,1,USD\no1,C1,2,USD\n${refused}`);
    const differs = { line: 3, reference: 'o1', message: expect.stringContaining('amount') };
    expect(await told(dryRun.id, 'outcome=differs')).toEqual({ items: [differs], next: null });
    const first = await told(dryRun.id, 'outcome=not_from_an_ad');
    expect([first.items.length, first.items[0]]).toEqual([
      50,
      { line: 4, reference: 'r0', message: 'no client matches clientExternalReference or email' },
    ]);
    const rest = await told(dryRun.id, `outcome=not_from_an_ad&after=${first.next}`);
    expect([rest.items.length, rest.next]).toEqual([10, null]);
    const { text } = await person.get(files.path(`imports/${dryRun.id}/result.csv?outcome=differs`));
    expect(text.trim().split('\n')).toEqual([
      '"conversionExternalReference","clientExternalReference","amount","currency","outcome","id","message"',
      expect.stringMatching(/^"o1","C1","2","USD","differs",,/),
    ]);
  });

  it('warn of sales that are too old for a platform, and of visitors who refused to share data', async () => {
    const em = console.database.em();
    await givenConnection(em, { account, platform: 'meta' });
    await givenClient(em, { account, externalReference: 'C2', lead: { consent: false } });
    const old = new Date(Date.now() - 30 * dayMs).toISOString();
    const dryRun = await files.tried(
      `conversionExternalReference,clientExternalReference,amount,currency,occurredAt\no1,C1,1,USD,${old}\no2,C2,1,USD,\no3,C2,1,USD,\n`,
    );
    expect(dryRun).toMatchObject({ tooOld: [{ platform: 'meta', rows: 1 }], unshared: 2, counts: { created: 3 } });
    expect(await told(dryRun.id, 'outcome=created')).toMatchObject({ items: [{ line: 2, reference: 'o1' }] });
  });

  it('warn of references that are an email with their number, and quote none', async () => {
    const dryRun = await files.tried(`${header}ana@x.example,C1,1,USD\no2,C1,1,USD\no3,bo@x.example,1,USD\n`);
    expect(dryRun).toMatchObject({ emailReferences: 2, counts: { created: 2, not_from_an_ad: 1 } });
    expect(JSON.stringify(dryRun)).not.toContain('@x.example');
  });

  it.each([
    ['amounts\n1\n', 'line 1: column 1 ("amounts") is unknown; did you mean "amount"?'],
    [`${header}o1,C1,1,USD,x\n`, 'line 2: 5 cells, but the header has 4 columns'],
  ])('refuse file %# with the line', async (file, message) => {
    const { status, body } = await person.upload(files.path('imports?of=conversion'), file);
    expect([status, body]).toEqual([400, { message: expect.stringContaining(message) }]);
  });

  it('are not registered before their dry run is done', async () => {
    const id = files.idOf(await person.upload(files.path('imports?of=conversion'), `${header}o1,C1,1,USD\n`));
    expect((await register(id)).status).toBe(409);
    await workOffFiles(console);
    expect((await register(id)).status).toBe(202);
  });

  it('are listed newest first, with those of an API key', async () => {
    const { id } = await files.tried(`${header}o1,C1,1,USD\n`);
    await console.database.pool.query('update import set created_by = null where id = $1', [id]);
    const second = await files.tried(`${header}o2,C1,1,USD\n`);
    const listed = importsReply.parse((await person.get(files.path('imports'))).body);
    expect(listed.items.map((one) => [one.id, one.createdBy])).toEqual([
      [second.id, person.email],
      [id, null],
    ]);
    expect((await person.get(files.path(`imports?before=${second.id}`))).body).toMatchObject({ items: [{ id }] });
  });

  it.each(['conversion', 'client'])('offer a template of %ss that is accepted', async (of) => {
    const { text, headers } = await person.get(files.path(`imports/template.csv?of=${of}`));
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${of}s.csv"`);
    expect((await files.tried(text, `of=${of}`)).rows).toBe(1);
  });

  it('keep nothing of a person who was erased between the dry run and the registration', async () => {
    const dryRun = await files.tried(`${header}o1,C1,1,USD\no2,C1,1,USD\n`);
    await console.database.pool.query(
      `update import_row set cells = '["", "", "", ""]' where import_id = $1 and line = 2`,
      [dryRun.id],
    );
    const id = files.idOf(await register(dryRun.id));
    await workOffFiles(console);
    expect((await files.readImport(id)).counts).toMatchObject({ created: 1, refused: 1 });
    expect(await told(id, 'outcome=refused')).toMatchObject({
      items: [{ line: 2, reference: null, message: 'erased' }],
    });
  });
});
