/** What a partner can change so that platforms match more conversions, or are told of more. */
export const adviceTexts = {
  email: 'Send the email address (`email`) with POST /client.',
  phone: 'Send the phone number (`phoneNumber`) with POST /client, with its country code.',
  externalId:
    'Send your own identifier (`externalReference`) with POST /client, and give the same one to your pixel as external_id.',
  click:
    'Use the landing page as the destination of your ads, with auto-tagging on, and register each client with the lead reference of its own visit: then the click id of the ad is known.',
  ipAndUserAgent:
    'Ask your operator to check TRUST_PROXY of landing: the IP address or the browser of visitors is unknown.',
  fbp: 'Use the Meta pixel on the domain of the landing page, so that its cookie _fbp is there when visitors arrive.',
  ttp: 'Use the TikTok pixel on the domain of the landing page, so that its cookie _ttp is there when visitors arrive.',
  consent: 'Ask visitors for consent on the landing page: platforms are told nothing of visitors who refused.',
  time: 'Register conversions sooner, with the `occurredAt` of the sale: the platform takes no older events.',
} as const;

export type AdviceName = keyof typeof adviceTexts;
