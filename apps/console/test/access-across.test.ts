import { type Role, roles } from '@leadback/domain';
import { unique } from '@leadback/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Capability } from '../src/contract/session.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { mayDo } from '../src/sessions/authenticate.ts';
import { type Browser, givenConsole, type SignedIn, type TestConsole } from './given-console.ts';

const invited = () => ({ email: `${unique('bo')}@example.com`, role: 'operator', accounts: [] });

// every endpoint across accounts has a line here: a body that it accepts; undefined: it takes none
const samples: Readonly<Record<string, (() => unknown) | undefined>> = {
  'get /people': undefined,
  'post /people': invited,
  'post /people/:id/invite': () => ({}),
  'post /people/:id/access': () => ({ role: 'operator', accounts: [] }),
  'post /people/:id/disable': () => ({}),
  'post /people/:id/sign-out': () => ({}),
  'get /accounts': undefined,
  'get /accounts/figures': undefined,
  'post /accounts': () => ({ name: 'Zapatos' }),
  'get /audit': undefined,
};

const isOfNoAccount = ({ access, path }: (typeof endpoints)[number]) =>
  access !== 'everybody' && access !== 'signed-in' && !path.includes(':account');
const across = endpoints.filter(isOfNoAccount);
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

describe('who may do what across accounts in the console', () => {
  let console: TestConsole;
  let other: number;
  const people = new Map<Role, SignedIn>();
  beforeAll(async () => {
    console = await givenConsole();
    const created = await (await console.person()).post('/api/accounts', { name: 'Zapatos' });
    const { id } = z.object({ id: z.number() }).parse(created.body);
    for (const role of roles) people.set(role, await console.person({ role, accounts: [id] }));
    other = (await console.invite({ role: 'operator' })).id;
  });
  afterAll(() => console[Symbol.asyncDispose]());

  const call = async (browser: Browser, endpoint: (typeof endpoints)[number]) => {
    const path = `/api${endpoint.path}`.replace(':id', String(other));
    const body = samples[nameOf(endpoint)];
    const reply = await (body ? browser.post(path, body()) : browser.get(path));
    return { status: reply.status, error: reply.headers.get('leadback-error') };
  };

  it('is decided for every endpoint: one without a line in this test fails', () => {
    expect(across.map(nameOf).toSorted()).toEqual(Object.keys(samples).toSorted());
  });

  describe.each(across.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))('$name', ({ endpoint }) => {
    const capability = z.custom<Capability>().parse(endpoint.access);

    it.each(roles)('lets a person of the role %s do what the role allows', async (role) => {
      const done = { status: 200, error: null };
      const refused = { status: 403, error: 'role-forbids' };
      const person = z.custom<SignedIn>().parse(people.get(role));
      expect(await call(person, endpoint)).toEqual(mayDo(role, capability) ? done : refused);
    });

    it('is for nobody who is signed out', async () => {
      expect(await call(console.browser(), endpoint)).toEqual({ status: 401, error: 'signed-out' });
    });
  });

  const guarded = across.filter(({ secondFactor }) => secondFactor === 'fresh');
  it.each(guarded.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))(
    '$name needs a second factor of the last minutes',
    async ({ endpoint }) => {
      const person = await console.person();
      await console.database.pool.query(
        `update person_session set stepped_up_at = now() - interval '6 minutes' where person_id = $1`,
        [person.personId],
      );
      expect(await call(person, endpoint)).toEqual({ status: 403, error: 'second-factor-needed' });
    },
  );
});
