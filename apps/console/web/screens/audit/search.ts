import { isDay } from '../../range/range.ts';
import { textOf } from '../../search-parameters.ts';

/** The filters of the URL. */
export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const dayOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && isDay(text) ? text : undefined;
};

export const parseAuditSearch = ({ actor, action, from, to }: Readonly<Record<string, unknown>>): AuditSearch => ({
  actor: textOf(actor),
  action: textOf(action),
  from: dayOf(from),
  to: dayOf(to),
});
