import { z } from 'zod';
import { codeAt, type ConsolePerson, nextCode } from '../../start/accept-invitation.ts';

const sessionSchema = z.object({ csrf: z.string(), person: z.object({}).nullable() });

export interface ConsoleSession {
  /** Whether the console knows the session, at an instance that the balancer chooses. */
  readonly isKnown: () => Promise<boolean>;
  readonly signOut: () => Promise<void>;
}

/** Signs in to the console and keeps its cookie, as a browser does. */
export const consoleSession = async (
  url: string,
  { email, password, secondFactor }: ConsolePerson,
): Promise<ConsoleSession> => {
  let cookie = '';
  // a connection for each request, so that the balancer chooses each time
  const own = () => ({ cookie, connection: 'close' });
  const read = async () => sessionSchema.parse(await (await fetch(`${url}/api/session`, { headers: own() })).json());
  const post = async (path: string, body: object): Promise<Response> => {
    const { csrf } = await read();
    const asPage = { 'content-type': 'application/json', origin: new URL(url).origin, 'x-leadback-csrf': csrf };
    return fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { ...own(), ...asPage },
      body: JSON.stringify(body),
    });
  };
  for (const code of [codeAt(secondFactor, Date.now()), nextCode(secondFactor)]) {
    const response = await post('/session/sign-in', { email, password, code });
    if (!response.ok) continue;
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return {
      isKnown: async () => (await read()).person !== null,
      signOut: async () => void (await post('/session/sign-out', {})),
    };
  }
  throw new Error('the console refused the sign-in');
};
