import { randomBytes } from 'node:crypto';
import { LandingImage, PersonSession } from '@leadback/db';
import { givenAccount, png, type TestDatabase, unique } from '@leadback/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sessionReply } from '../src/contract/session.ts';
import { imageFinder } from '../src/pages/send-media.ts';
import { sessionFinder } from '../src/sessions/authenticate.ts';
import { givenConsole, type TestConsole } from './given-console.ts';

let console: TestConsole;
beforeAll(async () => {
  console = await givenConsole();
});
afterAll(() => console[Symbol.asyncDispose]());

/** Counts the statements of this name that are in progress at the same time. */
const watchStatements = ({ pool }: TestDatabase, name: string) => {
  const query = pool.query.bind(pool);
  let [count, now, most] = [0, 0, 0];
  const counted = async (statement: { readonly name?: string; readonly text: string }) => {
    if (statement.name !== name) return query(statement);
    count += 1;
    now += 1;
    most = Math.max(most, now);
    try {
      return await query(statement);
    } finally {
      now -= 1;
    }
  };
  Object.defineProperty(pool, 'query', { value: counted, configurable: true });
  return {
    most: () => most,
    count: () => count,
    [Symbol.dispose]: () => void Reflect.deleteProperty(pool, 'query'),
  };
};

const imageName = () => `${randomBytes(16).toString('base64url')}.png`;

it('finds who is signed in during a flood of invented sessions, which uses at most two connections', async () => {
  const person = await console.person();
  using statements = watchStatements(console.database, 'find-person-sessions');
  const invented = () => {
    const cookie = `__Host-leadback=${randomBytes(32).toString('base64url')}`;
    return fetch(`${console.url}/api/session`, { headers: { cookie } });
  };
  const flood = Promise.all(Array.from({ length: 1_000 }, invented));
  const replies = await Promise.all(Array.from({ length: 20 }, () => person.get('/api/session')));
  expect(replies.map(({ body }) => sessionReply.parse(body).person?.email)).toEqual(Array(20).fill(person.email));
  const strangers = await flood;
  for (const response of strangers) expect(sessionReply.parse(await response.json()).person).toBeNull();
  expect(statements.most()).toBeLessThanOrEqual(2);
  expect(statements.count()).toBeGreaterThan(0);
});

it('notes once that somebody is here whose requests come together', async () => {
  const { database } = console;
  const person = await console.person();
  await database
    .em()
    .nativeUpdate(PersonSession, { person: person.personId }, { seenAt: new Date(Date.now() - 3_600_000) });
  using statements = watchStatements(database, 'note-person-session');
  const find = sessionFinder(database.pool);
  const sessions = await Promise.all(Array.from({ length: 100 }, () => find(person.cookie())));
  expect(new Set(sessions.map((session) => session?.person.email))).toEqual(new Set([person.email]));
  const later = Date.now() + 11.5 * 3_600_000;
  for (const session of sessions) expect(session?.idleUntil.getTime()).toBeGreaterThan(later);
  expect(statements.count()).toBe(1);
});

it('reads images for all who ask at the same time in one statement after the other, and each that exists once', async () => {
  const { database } = console;
  const em = database.em();
  const account = await givenAccount(em);
  const image = em.create(LandingImage, { account, name: imageName(), mediaType: 'image/png', bytes: png });
  await em.persist(image).flush();
  const read = vi.fn<TestDatabase['em']>(() => database.em());
  const find = imageFinder(read);
  const ask = (names: readonly string[]) => Promise.all(names.map(find));
  const invented = Array.from({ length: 499 }, imageName);
  const found = await ask([image.name, ...invented]);
  expect(found.map((one) => one?.name)).toEqual([image.name, ...Array(499).fill(undefined)]);
  expect(read).toHaveBeenCalledTimes(10);
  await ask([image.name, unique('no name of an image')]);
  expect(read).toHaveBeenCalledTimes(10);
});

it('forgets the images that it has read first when all that it keeps has too many bytes', async () => {
  const { database } = console;
  const em = database.em();
  const account = await givenAccount(em);
  const names = Array.from({ length: 3 }, imageName);
  for (const name of names) em.create(LandingImage, { account, name, mediaType: 'image/png', bytes: png });
  await em.flush();
  const read = vi.fn<TestDatabase['em']>(() => database.em());
  const find = imageFinder(read, 2 * png.length);
  for (const name of names) expect((await find(name))?.name).toBe(name);
  expect(read).toHaveBeenCalledTimes(3);
  for (const name of names.slice(1)) expect((await find(name))?.name).toBe(name);
  expect(read).toHaveBeenCalledTimes(3);
  for (const name of names.slice(0, 1)) expect((await find(name))?.name).toBe(name);
  expect(read).toHaveBeenCalledTimes(4);
});
