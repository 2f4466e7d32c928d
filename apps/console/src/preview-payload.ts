import type { ClaimedDelivery } from '@leadback/core/delivery/claim';
import { heldBack } from '@leadback/core/delivery/settle';
import { openConnection, readConnection } from '@leadback/core/connections/open';
import { readDeliveryToSend } from '@leadback/core/delivery/read-delivery';
import { webhookName } from '@leadback/domain';
import { type AccountScope, ActionRefused } from '@leadback/core/people/access';
import { maskedEvent, type PlatformAccess } from '@leadback/platforms';
import { z } from 'zod';
import type { ConsoleContext } from './context.ts';
import type { PreviewPayloadReply } from './contract/deliveries.ts';

const unusable = (reason: string): PreviewPayloadReply => ({ kind: 'unusable', reason });

/** Why a worker would hold an adjustment back now, or leave it out. */
const holdOf = (delivery: ClaimedDelivery, atMs: number, { adjustments }: PlatformAccess): string | null => {
  if (!delivery.others || !adjustments) return null;
  const next = heldBack(delivery, atMs, {
    ...adjustments,
    wentElsewhere: (former) => adjustments.wentElsewhere(delivery.event, former),
  });
  return next?.reason ?? null;
};

/** Builds what a worker would send, by the platform's own code. Undefined if the account has no such delivery to a platform. */
export const previewPayload = async (
  { pool, platforms, secretsKeys, contacts }: Pick<ConsoleContext, 'pool' | 'platforms' | 'secretsKeys' | 'contacts'>,
  { accountId }: AccountScope,
  id: number,
): Promise<PreviewPayloadReply | undefined> => {
  const found = await readDeliveryToSend(pool, { accountId, id }, contacts);
  if (!found || found.connection.platform === webhookName) return undefined;
  const { delivery, mode, atMs } = found;
  const { event } = delivery;
  const connection = await readConnection(pool, { id: found.connection.id, accountId });
  const { platform } = connection;
  if (platform === webhookName || event.kind === 'webhook') return undefined;

  let access: PlatformAccess;
  try {
    access = openConnection({ platforms, secretsKeys }, connection, mode);
  } catch (error) {
    if (error instanceof ActionRefused) return unusable('its credentials cannot be decrypted with SECRETS_KEY');
    if (!(error instanceof z.ZodError)) throw error;
    // the path alone: a value may be a secret
    return unusable(`settings_do_not_fit: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  }

  const prepared = access.prepare(event, atMs);
  if (prepared.kind === 'early') return { kind: 'early', at: new Date(atMs + prepared.inMs).toISOString() };
  if (prepared.kind === 'skipped') return { kind: 'skipped', reason: prepared.reason };
  return {
    kind: 'event',
    event: maskedEvent(prepared.event, event),
    isTest: mode === 'test',
    note: prepared.note ?? null,
    held: holdOf(delivery, atMs, access),
  };
};
