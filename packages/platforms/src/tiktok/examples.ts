import { accepted, type Example, exampleEventName, type ExampleParts, fieldsOf, rejectedWith } from '../examples.ts';
import { requireEvent } from '../definition.ts';
import { unixSeconds } from '../event-parts.ts';
import { dayMs, hourMs } from '../exchange.ts';
import { tiktokEvent } from './event.ts';

const invalid = rejectedWith(200, '40002');

export const tiktokExamples = ({ sale, nowMs }: Pick<ExampleParts<unknown>, 'sale' | 'nowMs'>): readonly Example[] => {
  const event = requireEvent(tiktokEvent(sale, exampleEventName));
  const person = fieldsOf(event['user']);
  const money = fieldsOf(event['properties']);
  const withPerson = (changes: object) => ({ ...event, user: { ...person, ...changes } });
  const at = (timeMs: number) => ({ ...event, event_time: unixSeconds(new Date(timeMs)) });
  return [
    { about: 'a sale', event, sandbox: accepted },
    { about: 'a click id that is none', event: withPerson({ ttclid: '{ttclid}' }), sandbox: invalid },
    { about: 'eight days ago', event: at(nowMs - 8 * dayMs), sandbox: invalid },
    { about: 'in an hour', event: at(nowMs + hourMs), sandbox: invalid },
    { about: 'nobody to match', event: { ...event, user: { user_agent: person['user_agent'] } }, sandbox: invalid },
    { about: 'an email in clear', event: withPerson({ email: sale.client.email }), sandbox: invalid },
    {
      about: 'a currency that is none',
      event: { ...event, properties: { ...money, currency: 'PESOS' } },
      sandbox: invalid,
    },
    { about: 'a negative amount', event: { ...event, properties: { ...money, value: -1 } }, sandbox: invalid },
  ];
};
