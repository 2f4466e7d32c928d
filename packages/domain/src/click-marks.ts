import { z } from 'zod';

/** By which a platform knows its own click again. */
export const clickIdNames = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'ttclid', 'msclkid'] as const;

/** What the address of a landing page may tell of the click that led to it. */
export const queryMarkNames = [
  ...clickIdNames,
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

/** Meta's own first-party cookies. */
export const cookieMarkNames = ['_fbp', '_fbc'] as const;

const markNames = [...queryMarkNames, ...cookieMarkNames] as const;
export type ClickMarkName = (typeof markNames)[number];

/** The marks of one click, word for word as they were seen; what they mean is each platform's business. */
export const clickMarksSchema = z.partialRecord(z.enum(markNames), z.string());
export type ClickMarks = z.infer<typeof clickMarksSchema>;
