import type { Pool } from '@leadback/db';
import { decryptSourceSecrets, encryptSourceSecrets, type SecretsKeys, sourceKeys } from '@leadback/domain/keys';
import { z } from 'zod';
import { ActionRefused } from '../people/access.ts';
import type { Connecting, ConnectFailure, FetchTools } from './kind.ts';
import { openSource, readSource } from './open.ts';
import {
  changeSource,
  findStoredSource,
  readSourceContent,
  resumeSource,
  sourceUrl,
  type WantedSource,
} from './sources.ts';

interface ConnectTools {
  readonly secretsKeys: SecretsKeys;
  readonly fetching: FetchTools;
  readonly apiUrl: string | undefined;
}

interface Asked extends WantedSource {
  readonly personId: number;
}

const stateSchema = z.object({ connects: z.number(), until: z.number() });

// a person creates an account there, perhaps, before the page lets the app in
const stateLifeMs = 60 * 60_000;

const open = async (pool: Pool, { secretsKeys }: ConnectTools, wanted: WantedSource) => {
  const stored = await findStoredSource(pool, wanted);
  const source = await readSource(pool, stored.id);
  if (!source) throw new ActionRefused('not-found', `there is no source ${wanted.id}`);
  const { connecting } = openSource(secretsKeys, source, Date.now()).opened;
  return { stored, connecting };
};

/** The page of the other side where a person lets it give its credentials. Throws an ActionRefused if its app is not known. */
export const connectPage = async (pool: Pool, tools: ConnectTools, { personId, ...wanted }: Asked): Promise<string> => {
  const { stored, connecting } = await open(pool, tools, wanted);
  if (!connecting) throw new ActionRefused('invalid', 'enter the id and the secret of the app first');
  const state = { connects: personId, until: Date.now() + stateLifeMs } satisfies z.input<typeof stateSchema>;
  const encrypted = encryptSourceSecrets(sourceKeys(tools.secretsKeys), stored, state);
  return connecting.pageOf(tools.fetching, encrypted.toString('base64url'));
};

/** Whether the person who comes back is the one who left, for this source: nobody can give a person a code of another shop. */
const isOwnState = (
  secretsKeys: SecretsKeys,
  source: { id: number; accountId: number },
  asked: Asked,
  state: string,
) => {
  try {
    const read = decryptSourceSecrets(sourceKeys(secretsKeys), source, Buffer.from(state, 'base64url'));
    const { connects, until } = stateSchema.parse(read);
    return connects === asked.personId && Date.now() < until;
  } catch {
    return false;
  }
};

export type ConnectOutcome =
  /** `unsent`: events that the other side does not send. */
  | { readonly outcome: 'connected'; readonly unsent: readonly string[] }
  | { readonly outcome: ConnectFailure | 'state-refused' };

const unsubscribed = async (
  pool: Pool,
  tools: ConnectTools,
  wanted: WantedSource,
  connecting: Connecting,
): Promise<readonly string[]> => {
  const { encrypted } = await readSourceContent(pool, tools.secretsKeys, wanted);
  if (!encrypted) throw new ActionRefused('invalid', 'its secrets cannot be decrypted');
  return connecting.subscribe(tools.fetching, sourceUrl(tools.apiUrl, encrypted.path));
};

/**
 * Exchanges the code with which a person came back, keeps what the other side gives for it, asks the other side to send, and
 * resumes the source if it waited for that. A code is good once: what fails after the exchange is done by connecting again.
 */
export const connectSource = async (
  pool: Pool,
  tools: ConnectTools,
  { actor, code, state, ...asked }: Asked & { readonly actor: string; readonly code: string; readonly state: string },
): Promise<ConnectOutcome> => {
  const { personId: _personId, ...wanted } = asked;
  const { stored, connecting } = await open(pool, tools, wanted);
  if (!isOwnState(tools.secretsKeys, stored, asked, state)) return { outcome: 'state-refused' };
  if (!connecting) return { outcome: 'app-refused' };
  const exchanged = await connecting.exchange(tools.fetching, code);
  if (exchanged.kind === 'failed') return { outcome: exchanged.failure };
  await changeSource(pool, tools.secretsKeys, { actor, ...wanted, content: exchanged.content });
  const after = await open(pool, tools, wanted);
  if (after.stored.state === 'needs_attention') await resumeSource(pool, { actor, ...wanted });
  return { outcome: 'connected', unsent: await unsubscribed(pool, tools, wanted, after.connecting ?? connecting) };
};
