import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import { dataFolder } from './data-folder.ts';
import { type OperatorSurroundings, operate } from './operator.ts';

const personSchema = z.object({
  email: z.string(),
  password: z.string(),
  /** The secret of the second factor, in base32. */
  secondFactor: z.string(),
});

/** Somebody who may sign in to the console of the demonstration. */
export type DemoPerson = z.infer<typeof personSchema>;

const personFile = join(dataFolder, 'demo-person.json');
const invited = z.object({ url: z.string() });
const session = z.object({ csrf: z.string() });
const chosen = z.object({ secret: z.string() });

const periodMs = 30_000;

const codeAt = (secondFactor: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secondFactor) }).generate({ timestamp });

/** The next code of an authenticator app, which is right for a minute or more: the one before was used by this start. */
export const nextCode = (secondFactor: string): string => codeAt(secondFactor, Date.now() + periodMs);

const readPerson = (): DemoPerson | undefined => {
  try {
    return personSchema.parse(JSON.parse(readFileSync(personFile, 'utf8')));
  } catch {
    return undefined; // none yet, or an incomplete write
  }
};

/** Sends requests as the console's own pages do. */
const openConsole = async (url: string) => {
  const { csrf } = session.parse(await (await fetch(`${url}/api/session`)).json());
  return (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(url).origin, 'x-leadback-csrf': csrf },
      body: JSON.stringify(body),
    });
};

const accept = async (around: OperatorSurroundings, email: string): Promise<DemoPerson> => {
  const { url } = invited.parse(await operate(around, 'user', 'invite', '--email', email, '--role', 'admin'));
  const post = await openConsole(around.consoleUrl);
  const [token, password] = [new URL(url).hash.slice(1), randomBytes(12).toString('base64url')];
  const { secret } = chosen.parse(await (await post('/invitation/password', { token, password })).json());
  const { ok, status } = await post('/invitation/accept', { token, code: codeAt(secret, Date.now()) });
  if (!ok) throw new Error(`the console refused the invitation of the demonstration: ${status}`);
  return { email, password, secondFactor: secret };
};

const isKnown = async ({ consoleUrl }: OperatorSurroundings, person: DemoPerson): Promise<boolean> => {
  const post = await openConsole(consoleUrl);
  const { email, password, secondFactor } = person;
  return (await post('/session/sign-in', { email, password, code: codeAt(secondFactor, Date.now()) })).ok;
};

/** Reuses the person of an earlier start who can sign in; otherwise invites one, who accepts. */
export const demoPerson = async (around: OperatorSurroundings): Promise<DemoPerson> => {
  const earlier = readPerson();
  if (earlier && (await isKnown(around, earlier))) return earlier;
  const person = await accept(around, 'demo@example.com');
  writeFileSync(personFile, JSON.stringify(person), { mode: 0o600 });
  return person;
};
