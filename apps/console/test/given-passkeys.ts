import { securityReply } from '../src/contract/security.ts';
import { givenAuthenticator } from './given-authenticator.ts';
import type { Browser, Reply, SignedIn, TestConsole } from './given-console.ts';

type Authenticator = ReturnType<typeof givenAuthenticator>;

export const outcome = ({ status, headers }: Reply) => ({ status, error: headers.get('leadback-error') });
export const done = { status: 200, error: null };
export const refused = { status: 403, error: 'passkey-refused' };

export const creationOptions = async (of: Browser) => (await of.post('/api/security/passkeys/options', {})).body;
export const signInOptions = async (of: Browser) => (await of.post('/api/session/passkey/options', {})).body;
export const passkeysOf = async (of: Browser) => securityReply.parse((await of.get('/api/security')).body).passkeys;

/** What people do with passkeys in a console. */
export const withPasskeys = (console: TestConsole) => {
  const add = async (person: SignedIn, authenticator = givenAuthenticator(console.url)) => {
    const credential = authenticator.create(await creationOptions(person));
    return { authenticator, reply: await person.post('/api/security/passkeys', { credential }) };
  };
  return {
    add,
    /** Somebody with a passkey. */
    async given() {
      const person = await console.person();
      return { person, ...(await add(person)) };
    },
    async signIn(authenticator: Authenticator, signing: Parameters<Authenticator['use']>[1] = {}) {
      const browser = console.browser();
      const credential = authenticator.use(await signInOptions(browser), signing);
      return { browser, credential, reply: await browser.post('/api/session/passkey', { credential }) };
    },
    /** The newest entries of the audit log, oldest first. */
    async audit({ email }: SignedIn, entries: number) {
      const { rows } = await console.database.pool.query<{ action: string; details: unknown }>(
        'select action, details from audit_entry where actor = $1 order by id',
        [email],
      );
      return rows.slice(-entries);
    },
    /** The second factor of a person was given too long ago. */
    age: ({ personId }: SignedIn) =>
      console.database.pool.query(
        `update person_session set stepped_up_at = now() - interval '6 minutes' where person_id = $1`,
        [personId],
      ),
  };
};
