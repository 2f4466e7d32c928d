import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { z } from 'zod';
import type { Operate } from './operator.ts';

/** Somebody who may sign in to the console; `secondFactor`: the secret of an authenticator app, in base32. */
export const personSchema = z.object({ email: z.string(), password: z.string(), secondFactor: z.string() });
export type ConsolePerson = z.infer<typeof personSchema>;

const invited = z.object({ url: z.string() });
const session = z.object({ csrf: z.string() });
const chosen = z.object({ secret: z.string() });

const periodMs = 30_000;

export const codeAt = (secondFactor: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secondFactor) }).generate({ timestamp });

/** The next code of an authenticator app, which is right for a minute or more: the one before may be used up. */
export const nextCode = (secondFactor: string): string => codeAt(secondFactor, Date.now() + periodMs);

/** Sends requests as the console's own pages do. */
export const openConsole = async (url: string) => {
  const { csrf } = session.parse(await (await fetch(`${url}/api/session`)).json());
  return (path: string, body: unknown): Promise<Response> =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(url).origin, 'x-leadback-csrf': csrf },
      body: JSON.stringify(body),
    });
};

/** Invites an admin to the console that runs at `consoleUrl`, and accepts. */
export const givenAdmin = async (run: Operate, consoleUrl: string, email: string): Promise<ConsolePerson> => {
  const { url } = invited.parse(await run('user', 'invite', '--email', email, '--role', 'admin'));
  const post = await openConsole(consoleUrl);
  const [token, password] = [new URL(url).hash.slice(1), randomBytes(12).toString('base64url')];
  const { secret } = chosen.parse(await (await post('/invitation/password', { token, password })).json());
  const { ok, status } = await post('/invitation/accept', { token, code: codeAt(secret, Date.now()) });
  if (!ok) throw new Error(`the console refused the invitation of ${email}: ${status}`);
  return { email, password, secondFactor: secret };
};
