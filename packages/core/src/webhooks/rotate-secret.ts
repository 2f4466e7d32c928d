import { type WebhookCredentials, webhookCredentialsSchema } from '@leadback/domain';
import { inTransaction, type Pool, preparedStatement } from '@leadback/db';
import { auditOn } from '../audit.ts';
import { decryptCredentials, encryptCredentials, type Keys, newWebhookSecret } from '@leadback/domain/keys';
import { type WebhookCaller, webhookEntry } from './webhook-audit.ts';
import { lockWebhook } from './webhook-lock.ts';

const previousMs = 24 * 60 * 60 * 1000;
// each signature makes every request longer
const earlierMax = 4;

export interface RotatedSecret {
  /** The only time that it is shown. */
  readonly secret: string;
  /** Until when the one before signs as well. */
  readonly previousUntil: Date;
}

const readTime = preparedStatement<{ now: Date }>('read-time', 'select now() as now');

const save = preparedStatement(
  'save-webhook-credentials',
  'update platform_connection set credentials = $3 where id = $1 and account_id + 0 = $2',
);

/** Throws `not-found.webhook`. */
export type SecretRotator = (caller: WebhookCaller, id: number) => Promise<RotatedSecret>;

export const secretRotator =
  (pool: Pool, keys: Keys): SecretRotator =>
  (caller, id) =>
    inTransaction(pool, async (on) => {
      const owner = await lockWebhook(on, caller, id);
      const before = webhookCredentialsSchema.parse(decryptCredentials(keys, owner, owner.encryptedCredentials));
      const [time] = await readTime(on, []);
      const now = time?.now ?? new Date();
      const previousUntil = new Date(now.getTime() + previousMs);
      const earlier = (before.earlier ?? []).filter(({ until }) => new Date(until) > now).slice(0, earlierMax - 1);
      const rotated: WebhookCredentials = {
        secret: newWebhookSecret(),
        earlier: [{ secret: before.secret, until: previousUntil.toISOString() }, ...earlier],
      };
      await save(on, [id, caller.accountId, encryptCredentials(keys, owner, rotated)]);
      await auditOn(on, webhookEntry(caller, 'rotate-secret', id));
      return { secret: rotated.secret, previousUntil };
    });
