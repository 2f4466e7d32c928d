import { z } from 'zod';

/** The click ids of each platform. The last click of each one counts, whichever platform the visitor came from since. */
export const clickIdsByPlatform = {
  google: ['gclid', 'gbraid', 'wbraid'],
  meta: ['fbclid'],
  tiktok: ['ttclid'],
  microsoft: ['msclkid'],
} as const;

export const clickIdNames = [
  ...clickIdsByPlatform.google,
  ...clickIdsByPlatform.meta,
  ...clickIdsByPlatform.tiktok,
  ...clickIdsByPlatform.microsoft,
] as const;
export type ClickIdName = (typeof clickIdNames)[number];

/** What the address of a landing page may tell of the click that led to it. */
export const queryParameterNames = [
  ...clickIdNames,
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

/** First-party cookies of Meta's and TikTok's pixels. */
export const cookieParameterNames = ['_fbp', '_fbc', '_ttp'] as const;

const parameterNames = [...queryParameterNames, ...cookieParameterNames] as const;
export type ClickParameterName = (typeof parameterNames)[number];

// A buffered lead may come from a version that knows more names than this one.
const knownNames = <Names extends readonly [string, ...string[]], Value extends z.ZodType>(
  names: Names,
  value: Value,
) =>
  z
    .record(z.string(), z.unknown())
    .transform((given) => Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name))))
    .pipe(z.partialRecord(z.enum(names), value));

/** The marks of one click, word for word as they were seen; what they mean is each platform's business. */
export const clickParametersSchema = knownNames(parameterNames, z.string());
export type ClickParameters = z.infer<typeof clickParametersSchema>;

/** When the clicks of earlier visits were made (ISO 8601). A click id that is not named here came with this visit. */
export const clickTimesSchema = knownNames(clickIdNames, z.iso.datetime());
export type ClickTimes = z.infer<typeof clickTimesSchema>;
