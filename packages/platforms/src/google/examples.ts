import { accepted, type Example, type ExampleParts, rejectedWith } from '../examples.ts';
import { knownFields, requireEvent } from '../definition.ts';
import { dayMs, hourMs } from '../exchange.ts';
import type { GoogleSettings } from './access.ts';
import { googleAdjustment, googleEvent } from './event.ts';

const rejected = (code: string) => rejectedWith(400, code);

/** Google only validates them, so what its request status reports later does not come. */
export const googleExamples = ({
  sale,
  adjustment,
  settings,
  nowMs,
}: ExampleParts<GoogleSettings>): readonly Example[] => {
  const event = requireEvent(googleEvent(sale, settings, nowMs));
  const overwriting = requireEvent(googleAdjustment.event(adjustment, settings, nowMs));
  const at = (timeMs: number) => ({ ...event, eventTimestamp: new Date(timeMs).toISOString() });
  const withClick = (adIdentifiers: Readonly<Record<string, string>>) => ({ ...event, adIdentifiers });
  return [
    { about: 'a sale', event, sandbox: accepted },
    { about: 'the sale with another amount', event: overwriting, sandbox: accepted },
    { about: 'a click id that is none', event: withClick({ gclid: '{gclid}' }), sandbox: accepted },
    {
      about: 'two click ids',
      event: withClick({ gclid: 'leadback-check', wbraid: 'leadback-check' }),
      sandbox: rejected('INVALID_EVENT'),
    },
    { about: '91 days ago', event: at(nowMs - 91 * dayMs), sandbox: accepted },
    { about: 'in an hour', event: at(nowMs + hourMs), sandbox: rejected('EVENT_TIME_INVALID') },
    {
      about: 'nobody to match',
      event: knownFields({ ...event, adIdentifiers: undefined, userData: undefined }),
      sandbox: rejected('NO_IDENTIFIERS_PROVIDED'),
    },
    {
      about: 'an email in clear',
      event: { ...event, userData: { userIdentifiers: [{ emailAddress: sale.client.email }] } },
      sandbox: rejected('INVALID_SHA256_FORMAT'),
    },
    {
      about: 'a currency that is none',
      event: { ...event, currency: 'PESOS' },
      sandbox: rejected('INVALID_CURRENCY_CODE'),
    },
    { about: 'a negative amount', event: { ...event, conversionValue: -1 }, sandbox: rejected('INVALID_FORMAT') },
  ];
};
