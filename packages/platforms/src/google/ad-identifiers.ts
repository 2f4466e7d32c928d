import { type ClickParameters, clickIdsByPlatform } from '@leadback/domain';

type GoogleClickId = (typeof clickIdsByPlatform.google)[number];

/** Which of Google's ids the click is named by: the first that is known. */
export const clickIdOf = (marks: ClickParameters): GoogleClickId | undefined =>
  clickIdsByPlatform.google.find((name) => marks[name]?.trim());

/** The click, by exactly one of Google's ids. */
export const adIdentifiersOf = (marks: ClickParameters): Partial<Record<GoogleClickId, string>> | undefined => {
  const name = clickIdOf(marks);
  return name === undefined ? undefined : { [name]: marks[name] };
};
