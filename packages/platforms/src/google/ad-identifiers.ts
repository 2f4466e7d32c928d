import type { ClickMarks } from '@leadback/domain';

const clickIds = ['gclid', 'gbraid', 'wbraid'] as const;

/** The click, by exactly one of Google's ids: the first that is known. */
export const adIdentifiersOf = (marks: ClickMarks): Partial<Record<(typeof clickIds)[number], string>> | undefined => {
  const name = clickIds.find((clickId) => marks[clickId]?.trim());
  return name === undefined ? undefined : { [name]: marks[name] };
};
