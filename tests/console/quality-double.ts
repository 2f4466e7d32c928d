import type { QualityReply } from '../../apps/console/src/contract/results.ts';

/** Of a shop that sends no phone numbers. */
export const qualityDouble: QualityReply = {
  platforms: [
    {
      platform: 'meta',
      conversions: 4120,
      delivered: 3988,
      skipped: [
        {
          code: 'consent',
          deliveries: 96,
          meaning: 'The visitor did not agree to sharing, or their browser sent Global Privacy Control.',
          remedy: null,
        },
      ],
      failed: [
        {
          code: 'event_too_old',
          deliveries: 36,
          meaning: 'The platform accepts no event older than 7 days.',
          remedy: null,
        },
      ],
      keys: [
        { key: 'fbclid', share: 0.71 },
        { key: 'email', share: 0.93 },
        { key: 'phone', share: 0.04 },
        { key: 'externalId', share: 1 },
        { key: 'ipAndUserAgent', share: 0.98 },
        { key: 'fbp', share: 0.55 },
      ],
      advice: [
        { name: 'phone', affects: 0.96 },
        { name: 'fbp', affects: 0.45 },
        { name: 'email', affects: 0.07 },
        { name: 'consent', affects: 0.023 },
      ],
    },
    {
      platform: 'google',
      conversions: 4120,
      delivered: 4080,
      skipped: [
        {
          code: 'no_match_keys',
          deliveries: 31,
          meaning: 'The platform cannot match the event: there is no click id and no usable contact data.',
          remedy: 'Register clients with their email or phone number; a retry helps once a client has one.',
        },
      ],
      failed: [{ code: 'other', deliveries: 9, meaning: null, remedy: null }],
      keys: [
        { key: 'gclid', share: 0.61 },
        { key: 'gbraid', share: 0.04 },
        { key: 'wbraid', share: 0 },
        { key: 'email', share: 0.93 },
        { key: 'phone', share: 0.04 },
      ],
      advice: [
        { name: 'phone', affects: 0.92 },
        { name: 'click', affects: 0.008 },
      ],
    },
  ],
};
