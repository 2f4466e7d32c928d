import { givenAccount, givenApiKey, givenClient, givenLead, shared } from '@leadback/testing';
import { describe, expect, it } from 'vitest';
import { givenApi } from './given-api.ts';
import { givenImportJob, importsOf } from './given-imports.ts';

// without ids, which a dry run does not have
const endOf = (lines: readonly string[]) => lines.slice(-4).map((line) => line.replace(/,\d+,([^,]*)$/, ',,$1'));

describe('a corrected import', async () => {
  const api = await shared(givenApi());
  await shared(givenImportJob(api));

  const givenPartner = async () => {
    const em = api.database.em();
    const account = await givenAccount(em);
    await givenClient(em, { account, externalReference: 'C1', email: 'ana@x.example' });
    const key = await givenApiKey(em, { account });
    const { reference } = await givenLead(em, { account });
    const clients = async () =>
      (await api.database.pool.query('select from client where account_id = $1', [account.id])).rowCount;
    return { reference, clients, ...importsOf(api, key) };
  };

  it('registers each client once although clients without a reference were corrected in the result file', async () => {
    const { reference, clients, imported, result } = await givenPartner();
    const file = `leadReference,name,externalReference\n${reference},Ana,\nwrong,Eva,\n${reference},Ida,I1\n`;
    const first = await imported(file, { of: 'client' });
    expect(first.counts).toEqual({ created: 2, existing: 0, refused: 1 });
    const corrected = (await result(first.id)).replace('wrong', reference);
    const second = await imported(corrected, { of: 'client' });
    expect(second.counts).toEqual({ created: 1, existing: 2, refused: 0 });
    expect(second.result[1]).toBe(first.result[1]?.replace(',created,', ',existing,'));
    expect(await clients()).toBe(4);
    expect((await imported(await result(second.id), { of: 'client' })).counts).toMatchObject({ existing: 3 });
    expect(await clients()).toBe(4);
  });

  it('registers a row whose id is of no client of the account, or of a client with another reference', async () => {
    const { reference, clients, imported } = await givenPartner();
    const other = await givenClient(api.database.em(), {});
    const own = await imported(`leadReference,externalReference\n${reference},R1\n`, { of: 'client' });
    const ownId = own.result[1]?.split(',')[3];
    const header = 'leadReference,externalReference,outcome,id,message\n';
    const rows = [`,created,${other.id},`, `R2,created,${ownId},`, ',,1,', ',created,x,', `R1,created,${other.id},`];
    const found = await imported(header + rows.map((row) => `${reference},${row}\n`).join(''), { of: 'client' });
    expect(found.result.slice(1).map((row) => row.split(',')[2])).toEqual([
      'created',
      'created',
      'created',
      'created',
      'existing',
    ]);
    expect(await clients()).toBe(6);
  });

  it('has the outcomes of the real run in a dry run, also for rows that are far apart', async () => {
    const { imported } = await givenPartner();
    const between = Array.from({ length: 400 }, (_, index) => `o${index},C1,1,USD\n`).join('');
    const later = 'o1,C1,1,USD\no2,C1,2,USD\no3,C1,1,ARS\no4,nobody,1,USD\n';
    const file = `conversionExternalReference,clientExternalReference,amount,currency\n${between}${later}`;
    const tried = await imported(file, { dryRun: true });
    expect(tried.counts).toMatchObject({ created: 400, repeated: 1, differs: 2 });
    const real = await imported(file);
    expect(real.counts).toEqual(tried.counts);
    expect(endOf(tried.result)).toEqual(endOf(real.result));
  });

  it('tells how to write an amount that could mean thousands', async () => {
    const { imported } = await givenPartner();
    const { result } = await imported(
      'conversionExternalReference;clientExternalReference;amount;currency\no1;C1;1.234;USD\no2;C1;1.234,567;USD\no3;C1;x;USD\n',
    );
    const doubt = 'amount: three digits after a comma or a point could be thousands; write 1234 or 1.23';
    expect(result.slice(1).map((row) => row.split(';refused;;')[1]?.replaceAll('"', ''))).toEqual([
      doubt,
      doubt,
      'amount: expected a number',
    ]);
  });
});
