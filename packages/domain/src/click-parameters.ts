import { z } from 'zod';

/** The click ids of each platform. Per platform, only the last click counts. */
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

/** Query parameters of a landing page that describe the click. */
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

// A newer version may have buffered a lead with more names.
const knownNames = <Names extends readonly [string, ...string[]], Value extends z.ZodType>(
  names: Names,
  value: Value,
) =>
  z
    .record(z.string(), z.unknown())
    .transform((given) => Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name))))
    .pipe(z.partialRecord(z.enum(names), value));

/** The click parameters of a lead, unchanged. Only the platform packages interpret them. */
export const clickParametersSchema = knownNames(parameterNames, z.string());
export type ClickParameters = z.infer<typeof clickParametersSchema>;

/** Times of clicks on earlier visits (ISO 8601). A click id without a time came with this visit. */
export const clickTimesSchema = knownNames(clickIdNames, z.iso.datetime());
export type ClickTimes = z.infer<typeof clickTimesSchema>;
