import { fbpShape, type ReadClickParameters, type UnusableReason } from '@leadback/domain';
import { addressKind, plainAddress } from '@leadback/platforms/address';
import type { LeadToRecord } from './record.ts';
import type { ReportedVisit } from './reported.ts';
import { referenceCookieName } from './reference-cookie.ts';

const unusable: Readonly<Record<UnusableReason, string>> = {
  template: 'a template that nobody filled: check the URL of the ad',
  placeholder: 'a word that stands for none, such as test: click an ad, or invent a longer one',
  malformed: 'nothing that its platform gives to a click: pass on the whole URL unchanged',
};

/** The cookies of pixels that are more than any text. */
const shapes = { _fbp: fbpShape, _fbc: /^fb\.\d+\.\d+\../ } as const;

const addressAdvice = (ip: string | undefined): string[] => {
  if (ip === undefined) return ['Send the `ip` of the visitor: platforms match more sales with it.'];
  const kind = addressKind(plainAddress(ip));
  return kind === 'private' || kind === 'loopback' || kind === 'special'
    ? [
        '`ip` is of your own network, such as that of a proxy: send the address of the visitor, from the header that the proxy sets.',
      ]
    : [];
};

interface LeadFacts extends Pick<ReportedVisit, 'ip' | 'userAgent' | 'cookieOf'> {
  readonly unusableClicks: ReadClickParameters['unusableClicks'];
  readonly lead: Pick<LeadToRecord, 'keptReference'>;
}

/** For a test key: what the server of an advertiser can do better, so that platforms match more sales. Never quotes a value. */
export const leadAdvice = ({ ip, userAgent, cookieOf, unusableClicks, lead }: LeadFacts): string[] => [
  ...addressAdvice(ip),
  ...(userAgent === undefined
    ? ['Send the `userAgent` of the visitor: without it, crawlers leave leads, and platforms match fewer sales.']
    : []),
  ...Object.entries(unusableClicks).flatMap(([name, click]) =>
    name === '_fbc' || click === undefined ? [] : [`\`${name}\` in \`url\` is ${unusable[click.reason]}.`],
  ),
  ...Object.entries(shapes).flatMap(([name, shape]) => {
    const value = cookieOf(name);
    return value === undefined || value === '' || shape.test(value)
      ? []
      : [`The cookie \`${name}\` in \`cookies\` is not as its pixel writes it: pass on its value unchanged.`];
  }),
  ...(cookieOf(referenceCookieName) && lead.keptReference === undefined
    ? [
        `The cookie \`${referenceCookieName}\` in \`cookies\` has no lead reference of ours: pass on its value unchanged.`,
      ]
    : []),
];
