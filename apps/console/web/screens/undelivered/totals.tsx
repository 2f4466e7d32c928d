import type { UndeliveredGroup } from '../../../src/contract/undelivered.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { undeliveredTexts } from './texts.ts';

/** How many deliveries there are in all groups. Amounts are not added: a conversion may be in several groups. */
export const Totals = ({ groups }: { readonly groups: readonly UndeliveredGroup[] }) => {
  const texts = useTexts(undeliveredTexts);
  const format = useFormat();
  const all = format.count(groups.reduce((sum, { deliveries }) => sum + deliveries, 0));
  return texts.total(groups.some(({ isPartial }) => isPartial) ? texts.orMore(all) : all);
};
