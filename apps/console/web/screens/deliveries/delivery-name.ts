import type { Delivery } from '../../../src/contract/deliveries.ts';
import { useTexts } from '../../text/language.tsx';
import { deliveriesTexts } from './texts.ts';

/** The partner's id of the event, else ours. */
export const referenceOf = ({ id, externalReference, conversionId }: Delivery): string =>
  externalReference ?? String(conversionId ?? `#${id}`);

/** What was delivered, as the partner calls it: `Conversion order-1001`. */
export const useDeliveryName = (): ((delivery: Delivery) => string) => {
  const texts = useTexts(deliveriesTexts);
  return (delivery) => `${texts.events[delivery.event]} ${referenceOf(delivery)}`;
};
