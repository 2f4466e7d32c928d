import type { PlatformQuality } from '../../../../src/contract/quality.ts';

type Key = PlatformQuality['keys'][number]['key'];
type AdviceName = PlatformQuality['advice'][number]['name'];

interface AdviceText {
  readonly title: string;
  readonly text: string;
}

export interface QualityTexts {
  readonly title: string;
  readonly intro: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyAction: string;
  readonly delivered: (delivered: string, conversions: string, share: string) => string;
  readonly matchedBy: string;
  readonly noKeys: string;
  readonly keys: Readonly<Record<Key, string>>;
  readonly improve: string;
  readonly noAdvice: string;
  readonly affects: (share: string) => string;
  readonly advice: Readonly<Record<AdviceName, AdviceText>>;
  readonly undelivered: string;
  readonly states: Readonly<Record<'failed' | 'skipped', string>>;
  readonly otherReasons: string;
}

export const qualityEn: QualityTexts = {
  title: 'Quality',
  intro: 'A platform credits a sale to an ad only if it can match the sale to a click or a person.',
  emptyTitle: 'No deliveries in this period',
  empty: 'Once conversions are delivered, or could not be, you see here by what the platforms could match them.',
  emptyAction: 'Show the last 90 days',
  delivered: (delivered, conversions, share) => `${delivered} of ${conversions} delivered (${share})`,
  matchedBy: 'What the conversions carried',
  noKeys: 'Not known of these conversions.',
  keys: {
    gclid: 'Google click',
    gbraid: 'Google app click',
    wbraid: 'Google web click',
    fbclid: 'Meta click',
    ttclid: 'TikTok click',
    li_fat_id: 'LinkedIn click',
    msclkid: 'Microsoft click',
    email: 'Email',
    phone: 'Phone',
    externalId: 'Your own id',
    ipAndUserAgent: 'IP address and browser',
    fbp: 'Meta pixel cookie',
    ttp: 'TikTok pixel cookie',
  },
  improve: 'What would help most',
  noAdvice: 'Nothing: these conversions carry all that this platform matches by.',
  affects: (share) => `Helps ${share} of these conversions`,
  advice: {
    email: { title: 'Send the email address', text: 'Give email with POST /client.' },
    phone: { title: 'Send the phone number', text: 'Give phoneNumber with POST /client, with its country code.' },
    externalId: {
      title: 'Send your own identifier',
      text: 'Give externalReference with POST /client, and the same one to your pixel as external_id.',
    },
    click: {
      title: 'Let ads lead to the landing page',
      text: 'Use it as their destination, with auto-tagging on, and register each client with the lead reference of the visit: then the click id is known.',
    },
    ipAndUserAgent: {
      title: 'Have TRUST_PROXY checked',
      text: 'The IP address or the browser of visitors is unknown. Your operator checks TRUST_PROXY of landing.',
    },
    fbp: {
      title: 'Use the Meta pixel',
      text: 'On the domain of the landing page, so that its cookie _fbp is there when visitors arrive.',
    },
    ttp: {
      title: 'Use the TikTok pixel',
      text: 'On the domain of the landing page, so that its cookie _ttp is there when visitors arrive.',
    },
    consent: {
      title: 'Ask for consent',
      text: 'On the landing page: platforms are told nothing of visitors who refused.',
    },
    time: {
      title: 'Register conversions sooner',
      text: 'With occurredAt, the time of the sale: the platform takes no older events.',
    },
  },
  undelivered: 'Not delivered',
  states: { failed: 'Failed', skipped: 'Skipped' },
  otherReasons: 'other reasons',
};
