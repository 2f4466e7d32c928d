import type { WebhookDelivery } from '../../../src/contract/webhook-deliveries.ts';
import { oneOf } from '../../search-parameters.ts';

/** Deliveries of webhooks older than 30 days are skipped. */
export const states = [
  'pending',
  'delivered',
  'failed',
  'skipped',
] as const satisfies readonly WebhookDelivery['state'][];

export interface LogSearch {
  readonly state?: WebhookDelivery['state'] | undefined;
}

export const parseLogSearch = ({ state }: Readonly<Record<string, unknown>>): LogSearch => ({
  state: oneOf(states, state),
});
