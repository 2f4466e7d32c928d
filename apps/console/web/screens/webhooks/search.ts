import type { WebhookDelivery } from '../../../src/contract/webhook-deliveries.ts';
import { oneOf } from '../../search-parameters.ts';
import { deliveryStates } from '../deliveries/search.ts';

export interface LogSearch {
  readonly state?: WebhookDelivery['state'] | undefined;
}

export const parseLogSearch = ({ state }: Readonly<Record<string, unknown>>): LogSearch => ({
  state: oneOf(deliveryStates, state),
});
