import { eventTooOld } from '@leadback/domain';
import { accepted, type Example, exampleEventName, type ExampleParts, fieldsOf, rejectedWith } from '../examples.ts';
import { requireEvent } from '../definition.ts';
import { unixSeconds } from '../event-parts.ts';
import { dayMs, hourMs } from '../exchange.ts';
import { metaEvent, metaRefund } from './event.ts';
import type { MetaSettings } from './settings.ts';

const invalid = rejectedWith(400, '100');

/** Meta may measure with test events, so none of them is a Purchase. */
export const metaExamples = ({ sale, adjustment, settings, nowMs }: ExampleParts<MetaSettings>): readonly Example[] => {
  const { actionSource } = settings;
  const event = requireEvent(metaEvent(sale, { eventName: exampleEventName, actionSource }));
  const refund = requireEvent(metaRefund.event(adjustment, { refundEvent: exampleEventName, actionSource }));
  const person = fieldsOf(event['user_data']);
  const money = fieldsOf(event['custom_data']);
  const withPerson = (changes: object) => ({ ...event, user_data: { ...person, ...changes } });
  const at = (timeMs: number) => ({ ...event, event_time: unixSeconds(new Date(timeMs)) });
  return [
    { about: 'a sale', event, sandbox: accepted },
    { about: 'a part of the sale was taken back', event: refund, sandbox: accepted },
    { about: 'a click id that is none', event: withPerson({ fbc: '{{fbclid}}' }), sandbox: invalid },
    {
      about: 'a click after the sale',
      event: withPerson({ fbc: `fb.1.${nowMs}.leadback-check` }),
      sandbox: rejectedWith(400, '100/2804001'),
    },
    { about: 'eight days ago', event: at(nowMs - 8 * dayMs), sandbox: rejectedWith(400, eventTooOld) },
    { about: 'in an hour', event: at(nowMs + hourMs), sandbox: invalid },
    {
      about: 'nobody to match',
      event: { ...event, user_data: { client_user_agent: person['client_user_agent'] } },
      sandbox: rejectedWith(400, '100/2804050'),
    },
    { about: 'an email in clear', event: withPerson({ em: [sale.client.email] }), sandbox: invalid },
    {
      about: 'a currency that is none',
      event: { ...event, custom_data: { ...money, currency: 'PESOS' } },
      sandbox: invalid,
    },
    { about: 'a negative amount', event: { ...event, custom_data: { ...money, value: -1 } }, sandbox: invalid },
  ];
};
