import { givenAccount, givenApiKey, givenClient, givenLead, shared, unique } from '@leadback/testing';
import { type Currency, warningCodes } from '@leadback/domain';
import { describe, expect, it } from 'vitest';
import { givenApi, givenPartner, order, type Reply, sale } from './given-api.ts';

const warningsOf = ({ status, headers }: Reply) => {
  expect([200, 201]).toContain(status);
  return headers.get('leadback-warning');
};

describe('the header Leadback-Warning', async () => {
  const api = await shared(givenApi());
  const em = () => api.database.em();
  const given = (options = {}) => givenPartner(api, options);

  it('is missing if everything was taken as sent', async () => {
    const { register, convert, post } = await given();
    const complete = { name: 'Ana', email: 'Ana@x.example', phoneNumber: '+54 11 2345-6789', externalReference: 'c-1' };
    expect(warningsOf(await register(complete))).toBeNull();
    expect(warningsOf(await register(complete))).toBeNull();
    const conversionExternalReference = unique('order');
    // a sum of binary numbers is no amount with more decimals
    expect(warningsOf(await convert({ conversionExternalReference, amount: 0.1 + 0.2 }))).toBeNull();
    const adjustment = { conversionExternalReference, kind: 'restate', amount: 12.5 };
    expect(warningsOf(await post('/client/conversion/adjustment', adjustment))).toBeNull();
  });

  it('names the fields that a live key sends and no endpoint knows, and a test key gets 400', async () => {
    const { account, register, convert, post } = await given();
    const misspelt = { conversionExternalReference: unique('order'), occuredAt: '2026-11-20' };
    expect(warningsOf(await convert(misspelt))).toBe('unknown-field;field=occuredAt');
    expect(warningsOf(await register({ externalRef: 'c', phone: '1' }))).toBe(
      'unknown-field;field=externalRef, unknown-field;field=phone',
    );
    const adjustment = { conversionExternalReference: misspelt.conversionExternalReference, kind: 'retract' };
    expect(warningsOf(await post('/client/conversion/adjustment', { ...adjustment, reason: 'x' }))).toBe(
      'unknown-field;field=reason',
    );
    expect(warningsOf(await post('/client/batch', { items: [{}], dryrun: true }))).toBe('unknown-field;field=dryrun');
    const key = await givenApiKey(em(), { account, isTest: true });
    const refused = await convert(misspelt, { key });
    expect([refused.status, refused.headers.get('leadback-warning')]).toEqual([400, null]);
  });

  it('has no name of a field that no header can have, or that could be data of a person', async () => {
    const { register } = await given();
    const names = ['ana@x.example', '+54 11 2345-6789', '5491123456789', 'a\r\nb: c', 'ñandú', 'x'.repeat(65), ''];
    const sent = Object.fromEntries(names.map((name) => [name, 'ana@x.example']));
    expect(warningsOf(await register({ ...sent, shop_id: 7 }))).toBe(
      'unknown-field;field=body, unknown-field;field=shop_id',
    );
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index]));
    expect(warningsOf(await register(many))?.split(', ')).toHaveLength(20);
  });

  it.each<[number, Currency, boolean]>([
    [1000.5, 'JPY', true],
    [1001, 'JPY', false],
    [1.2345, 'KWD', true],
    [1.234, 'KWD', false],
  ])(
    'says of %d %s by the decimals of the currency whether it was rounded: %s',
    async (amount, currency, isRounded) => {
      const account = await givenAccount(em(), { currencies: ['JPY', 'KWD'] });
      const { convert, post } = await givenPartner(api, { account });
      const conversionExternalReference = unique('order');
      const warned = isRounded ? 'rounded;field=amount' : null;
      expect(warningsOf(await convert({ conversionExternalReference, amount, currency }))).toBe(warned);
      // the correction does not say in which currency
      const restated = { conversionExternalReference, kind: 'restate', amount };
      expect(warningsOf(await post('/client/conversion/adjustment', restated))).toBe(warned);
    },
  );

  it.each([10.999, 10.005, 0.001, 1e-7])('says that an amount of %d was rounded', async (amount) => {
    const { convert, post } = await given();
    const conversionExternalReference = unique('order');
    expect(warningsOf(await convert({ conversionExternalReference, amount }))).toBe('rounded;field=amount');
    const restated = { conversionExternalReference, kind: 'restate', amount };
    expect(warningsOf(await post('/client/conversion/adjustment', restated))).toBe('rounded;field=amount');
  });

  it.each([
    [{ email: 'ana' }, 'not-usable;field=email'],
    [{ email: 'ana@x.example, eva@x.example' }, 'not-usable;field=email'],
    [{ email: 'Ana <ana@x.example>' }, 'not-usable;field=email'],
    [{ email: 'Test@Test.com' }, 'not-usable;field=email'],
    [{ email: 'sincorreo@gmail.com' }, 'not-usable;field=email'],
    [{ phoneNumber: '555-1212' }, 'not-usable;field=phoneNumber'],
    [{ phoneNumber: 'abc', email: '@' }, 'not-usable;field=email, not-usable;field=phoneNumber'],
    [{ phoneNumber: 1123456789, email: ' ana@x.example\n', name: null }, null],
  ])('says what of the contact data %j is not used', async (fields, expected) => {
    const { register } = await given();
    expect(warningsOf(await register(fields))).toBe(expected);
  });

  it('says that name and phone number of a sale without leadReference are not used', async () => {
    const { convert } = await given();
    const sent = { conversionExternalReference: unique('order'), name: 'Ana', phoneNumber: '+54 11 2345-6789' };
    expect(warningsOf(await convert(sent))).toBe('not-usable;field=name, not-usable;field=phoneNumber');
  });

  it('says which contact data of a known client stay as they were, also in a sale that brings them', async () => {
    const { leadReference, register, convert } = await given();
    await register({ externalReference: 'c-1', name: 'Ana', email: 'ana@y.example', phoneNumber: '+54 11 2345-6789' });
    const same = { externalReference: 'c-1', email: 'ANA@y.example', phoneNumber: '011 2345 6789' };
    expect(warningsOf(await register(same))).toBeNull();
    const other = { name: 'Eva', email: 'eva@y.example', phoneNumber: '+54 11 2345-0000' };
    const kept = 'kept-first;field=name, kept-first;field=email, kept-first;field=phoneNumber';
    expect(warningsOf(await register({ externalReference: 'c-1', ...other }))).toBe(kept);
    const order1 = { clientExternalReference: 'c-1', leadReference, conversionExternalReference: unique('order') };
    expect(warningsOf(await convert({ ...order1, name: 'Eva' }))).toBe('kept-first;field=name');
  });

  it('says that reference and email name two clients, or an email several, and not if the reference is one of them', async () => {
    const { account, convert } = await given();
    await givenClient(em(), { account, externalReference: 'C2', email: 'eva@x.example' });
    await givenClient(em(), { account, externalReference: 'C3', email: 'eva@x.example' });
    const sell = async (fields: object) =>
      warningsOf(
        await convert({ clientExternalReference: undefined, ...fields, conversionExternalReference: unique('order') }),
      );
    expect(await sell({ clientExternalReference: 'C1', email: 'eva@x.example' })).toBe('two-clients;field=email');
    expect(await sell({ email: 'eva@x.example' })).toBe('two-clients;field=email');
    expect(await sell({ clientExternalReference: 'C2', email: 'eva@x.example' })).toBeNull();
    expect(await sell({ clientExternalReference: 'C1', email: 'nobody@x.example' })).toBeNull();
    expect(await sell({ email: 'ana@x.example' })).toBeNull();
  });

  it('sees neither clients of another account nor those of tests', async () => {
    const [one, other] = [await given(), await given()];
    await givenClient(em(), { account: one.account, email: 'eva@x.example' });
    await givenClient(em(), { account: one.account, email: 'eva@x.example', isTest: true });
    await givenClient(em(), { account: other.account, email: 'eva@x.example' });
    const sent = { clientExternalReference: undefined, email: 'eva@x.example', conversionExternalReference: 'o' };
    expect(warningsOf(await one.convert(sent))).toBeNull();
  });

  it('says that a sale has no conversionExternalReference, also with an Idempotency-Key, and again to a repeated request', async () => {
    const { convert } = await given();
    const expected = 'no-external-reference;field=conversionExternalReference';
    expect(warningsOf(await convert())).toBe(expected);
    const headers = { 'idempotency-key': unique('key') };
    const replies = [await convert({}, { headers }), await convert({}, { headers })];
    expect(replies.map(warningsOf)).toEqual([expected, expected]);
    expect(replies[1]?.body).toEqual(replies[0]?.body);
  });

  it('says that the lead reference of a known client was ignored, damaged or foreign alike, and not one that counts', async () => {
    const { account, leadReference, register, convert } = await given();
    const { reference: foreign } = await givenLead(em());
    const { reference: second } = await givenLead(em(), { account });
    await register({ externalReference: 'c-1' });
    const again = async (sent: string) => warningsOf(await register({ externalReference: 'c-1', leadReference: sent }));
    expect(await again(leadReference)).toBeNull();
    expect(await again(second)).toBeNull();
    expect(await again(second)).toBeNull();
    expect(await again('x'.repeat(22))).toBe('lead-ignored;field=leadReference');
    expect(await again(foreign)).toBe('lead-ignored;field=leadReference');
    const sell = async (sent: object) =>
      warningsOf(await convert({ conversionExternalReference: unique('order'), ...sent }));
    expect(await sell({ clientExternalReference: 'c-1', leadReference: second })).toBeNull();
    expect(await sell({ clientExternalReference: 'c-1', leadReference: foreign })).toBe(
      'lead-ignored;field=leadReference',
    );
    expect(await sell({ clientExternalReference: unique('new'), leadReference: second })).toBeNull();
    // a buyer whom the email names has clicked again
    const email = `${unique('eva')}@x.example`;
    await register({ externalReference: 'c-2', email });
    const { reference: third, id } = await givenLead(em(), { account });
    expect(await sell({ clientExternalReference: undefined, email, leadReference: third })).toBeNull();
    expect(await sell({ clientExternalReference: undefined, email, leadReference: third })).toBeNull();
    const ofNobody = { clientExternalReference: undefined, email, leadReference: foreign };
    expect(await sell(ofNobody)).toBe('lead-ignored;field=leadReference');
    const { rows } = await api.database.pool.query('select client_id from client_lead where lead_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  it('repeats what only the first request could know to a request with the same Idempotency-Key', async () => {
    const { account, convert, register } = await given();
    await givenClient(em(), { account, externalReference: 'C2', email: 'eva@x.example' });
    const ambiguous = { email: 'eva@x.example', conversionExternalReference: unique('order') };
    const kept = { externalReference: 'C1', email: 'other@x.example', phoneNumber: 'abc' };
    for (const send of [
      (sending: { headers: Record<string, string> }) => convert(ambiguous, sending),
      (sending: { headers: Record<string, string> }) => register(kept, sending),
    ]) {
      const sending = { headers: { 'idempotency-key': unique('key') } };
      const [first, second] = [await send(sending), await send(sending)];
      expect(warningsOf(first)).not.toBeNull();
      expect(warningsOf(second)).toBe(warningsOf(first));
    }
  });

  it('is the field warnings of each item of a batch, as code and field', async () => {
    const { clients, conversions } = await given();
    const { leadReference } = await given();
    const items = [order(), order({ amount: 1.234, externalRef: 'x' }), order({ amount: -1 })];
    const { results } = await conversions(items);
    expect(results.map(({ warnings }) => warnings)).toEqual([
      undefined,
      [
        { code: 'unknown-field', field: 'externalRef' },
        { code: 'rounded', field: 'amount' },
      ],
      undefined,
    ]);
    const known = { leadReference, externalReference: 'C1', email: 'eva@x.example' };
    expect((await clients([known])).results).toMatchObject([
      {
        outcome: 'existing',
        warnings: [
          { code: 'kept-first', field: 'email' },
          { code: 'lead-ignored', field: 'leadReference' },
        ],
      },
    ]);
  });

  it('has no code that the documentation does not list', async () => {
    const { body } = await api.send('GET', '/docs/errors.md');
    for (const code of warningCodes) expect(body).toContain(`\`${code}\``);
  });
});

describe('the warnings of a test key', async () => {
  const api = await shared(givenApi());

  it('say in words what the header says, without values', async () => {
    const { convert, register } = await givenPartner(api, { isTest: true });
    const sold = await convert({ amount: 10.999 });
    expect(warningsOf(sold)).toBe('no-external-reference;field=conversionExternalReference, rounded;field=amount');
    expect(Object(sold.body).warnings.slice(0, 2)).toEqual([
      expect.stringContaining('`conversionExternalReference`'),
      expect.stringContaining('`amount`'),
    ]);
    const known = await register({ externalReference: 'C1', email: 'eva@y.example', phoneNumber: '555-1212' });
    const { warnings } = Object(known.body);
    expect(warnings.slice(0, 2)).toEqual([
      expect.stringContaining('`phoneNumber`'),
      expect.stringContaining('`email`'),
    ]);
    expect(new Set(warnings).size).toBe(warnings.length);
    expect(JSON.stringify(warnings)).not.toMatch(/eva|1212/);
  });

  it.each([
    [100, 1000, ['not in cents']],
    [14_990, 149.9, ['not in cents']],
    [100, 90, []],
    [100, 0, []],
    [0, 100, []],
  ])('ask of a total of %d that becomes %d whether it is in cents: %j', async (before, amount, asked) => {
    const { post } = await givenPartner(api, { isTest: true });
    const conversionExternalReference = unique('order');
    await post('/client/conversion', { ...sale, amount: before, conversionExternalReference });
    const adjustment = { conversionExternalReference, kind: 'restate', amount };
    const { body } = await post('/client/conversion/adjustment', adjustment);
    expect(body).toMatchObject({ warnings: asked.map((text) => expect.stringContaining(text)) });
  });
});
