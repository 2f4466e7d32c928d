import { type ClickParameters, clickIdsByPlatform } from '@leadback/domain';

type GoogleClickId = (typeof clickIdsByPlatform.google)[number];

/** The first known of Google's click ids. */
export const clickIdOf = (marks: ClickParameters): GoogleClickId | undefined =>
  clickIdsByPlatform.google.find((name) => marks[name]?.trim());

/** The click, by exactly one of Google's ids. */
export const adIdentifiersOf = (marks: ClickParameters): Partial<Record<GoogleClickId, string>> | undefined => {
  const name = clickIdOf(marks);
  return name === undefined ? undefined : { [name]: marks[name] };
};
