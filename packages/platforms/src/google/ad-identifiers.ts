import type { ClickParameters } from '@leadback/domain';

/** At most one of them counts: the first. */
export const googleClickIds = ['gclid', 'gbraid', 'wbraid'] as const;
type GoogleClickId = (typeof googleClickIds)[number];

/** The first known of Google's click ids. */
export const clickIdOf = (marks: ClickParameters): GoogleClickId | undefined =>
  googleClickIds.find((name) => marks[name]?.trim());

/** The click, by exactly one of Google's ids. */
export const adIdentifiersOf = (marks: ClickParameters): Partial<Record<GoogleClickId, string>> | undefined => {
  const name = clickIdOf(marks);
  return name === undefined ? undefined : { [name]: marks[name] };
};
