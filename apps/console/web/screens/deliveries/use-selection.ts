import { useState } from 'react';
import type { Selection } from './delivery-table.tsx';

/** As many as one request may name. */
const selectedMax = 100;

/** The chosen rows. With other filters (`scope`), none is chosen. */
export const useSelection = (
  scope: string,
): readonly [readonly number[], Selection & { readonly clear: () => void }] => {
  const [chosen, setChosen] = useState<{ readonly scope: string; readonly ids: readonly number[] }>({ scope, ids: [] });
  const ids = chosen.scope === scope ? chosen.ids : [];
  const set = (next: readonly number[]) => setChosen({ scope, ids: next.slice(0, selectedMax) });
  return [
    ids,
    {
      has: (id) => ids.includes(id),
      toggle: (id) => set(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]),
      clear: () => set([]),
    },
  ];
};
