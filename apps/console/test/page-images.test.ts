import { type Account, AuditEntry, LandingImage } from '@leadback/db';
import { givenAccount, givenLandingPage, png, shared } from '@leadback/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { changePageReply, type PageDraft, page as pageSchema, storeImageReply } from '../src/contract/pages.ts';
import { givenConsole } from './given-console.ts';

/** The pixel, which claims another size. */
const pngOf = (width: number, height: number): Buffer => {
  const claimed = Buffer.from(png);
  claimed.writeUInt32BE(width, 16);
  claimed.writeUInt32BE(height, 20);
  return claimed;
};

describe('images of landing pages in the console', async () => {
  const console = await shared(givenConsole());
  const person = await console.person();

  let account: Account;
  beforeEach(async () => {
    account = await givenAccount(console.database.em());
  });

  const pathOf = (rest = '') => `/api/accounts/${account.id}/pages${rest}`;
  const givenPage = (options: Parameters<typeof givenLandingPage>[1] = {}) =>
    givenLandingPage(console.database.em(), { account, ...options });
  const read = async (id: number) => pageSchema.parse((await person.get(pathOf(`/${id}`))).body);
  const change = async (id: number, given: { draft: PageDraft; version: string }, by = person) =>
    changePageReply.parse((await by.post(pathOf(`/${id}`), given)).body);
  const audited = async () => {
    const entries = await console.database.em().find(AuditEntry, { accountId: account.id }, { orderBy: { id: 'asc' } });
    return entries.map(({ actor, action, target, details }) => ({ actor, action, target, details }));
  };

  it('stores an uploaded image, which the page may use, and sends it to anybody who knows its name', async () => {
    const { id } = await givenPage();
    const { draft, version } = await read(id);
    const image = storeImageReply.parse((await person.post(pathOf('/images'), png)).body);
    expect(image).toEqual({ src: expect.stringMatching(/^\/media\/[\w-]{22}\.png$/), width: 1, height: 1 });
    const logo = { ...image, alt: 'Zapatos' };
    expect(await change(id, { draft: { ...draft, logo }, version })).toMatchObject({ outcome: 'saved' });
    expect((await read(id)).draft.logo).toEqual(logo);
    const sent = await console.browser().get(image.src);
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(sent.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect((await audited())[0]).toMatchObject({ actor: person.email, action: 'image.upload', target: image.src });
  });

  it.each([
    ['no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), {}, 400],
    ['cut off', png.subarray(0, -4), {}, 400],
    ['an image with a page behind it', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]), {}, 400],
    ['too many pixels', pngOf(65_535, 65_535), {}, 400],
    ['too wide', pngOf(8_001, 1), {}, 400],
    ['more than 20 megapixels', pngOf(5_001, 4_000), {}, 400],
    ['too large', Buffer.concat([png, Buffer.alloc(512 * 1024)]), {}, 413],
    ['no image by its header', png, { 'content-type': 'application/json' }, 415],
  ])('refuses a file that is %s', async (_, bytes, headers, status) => {
    expect((await person.post(pathOf('/images'), bytes, headers)).status).toBe(status);
    expect(await console.database.em().count(LandingImage, { account })).toBe(0);
  });

  it('takes no image of another account', async () => {
    const { id } = await givenPage();
    const { draft, version } = await read(id);
    const { src } = storeImageReply.parse((await person.post(pathOf('/images'), png)).body);
    const foreign = await givenLandingPage(console.database.em());
    const path = `/api/accounts/${foreign.account.id}/pages/${foreign.id}`;
    const theirs = pageSchema.parse((await person.get(path)).body);
    const logo = { src, alt: '' };
    const refused = await person.post(path, { version: theirs.version, draft: { ...theirs.draft, logo } });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('no such image') } });
    expect((await change(id, { version, draft: { ...draft, logo } })).outcome).toBe('saved');
  });

  it('limits how many images a person uploads', async () => {
    const busy = await console.person({ role: 'marketer', accounts: [account.id] });
    const statuses: number[] = [];
    for (let count = 0; count < 41; count += 1) statuses.push((await busy.post(pathOf('/images'), png)).status);
    expect(statuses).toEqual([...Array.from({ length: 40 }, () => 200), 429]);
  });
});
