import { idOf } from '../../search-parameters.ts';

/** Whose story is shown; none: the search. An email is never in the URL. */
export interface FindSearch {
  readonly lead?: number | undefined;
  readonly client?: number | undefined;
  readonly conversion?: number | undefined;
}

/** The first that is given: a story is of one of them. */
export const parseStorySearch = (search: Readonly<Record<string, unknown>>): FindSearch => {
  const [lead, client, conversion] = [idOf(search.lead), idOf(search.client), idOf(search.conversion)];
  if (conversion !== undefined) return { conversion };
  return client === undefined ? { lead } : { client };
};

export const isNamed = ({ lead, client, conversion }: FindSearch): boolean =>
  (lead ?? client ?? conversion) !== undefined;
