import { optionalText, requiredText, webhookTopicsSchema, webhookUrlMax } from '@leadback/domain';
import { z } from 'zod';

const described = {
  url: 'Where events are sent: https on port 443 or 8443, a public host, no user name or password. Redirects are not followed.',
  events: 'What it is told of.',
};

/** The host is checked by the use case, which looks it up. */
export const newWebhook = z.object(
  {
    url: requiredText(webhookUrlMax).meta({ description: described.url }),
    events: webhookTopicsSchema.transform((events) => [...new Set(events)]).meta({ description: described.events }),
  },
  { error: 'expected a JSON object' },
);

export const webhookChanges = z
  .object(
    {
      url: optionalText(webhookUrlMax).meta({ description: described.url }),
      events: webhookTopicsSchema
        .nullish()
        .transform((events) => (events ? [...new Set(events)] : undefined))
        .meta({ description: described.events }),
      state: z
        .enum(['active', 'paused'], 'expected active or paused')
        .nullish()
        .transform((state) => state ?? undefined)
        .meta({
          description:
            '`paused`: what happens from now on is not told; deliveries that wait are sent when it is active again. `active`: it is told again, with three days of retries.',
        }),
    },
    { error: 'expected a JSON object' },
  )
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'expected url, events or state');
