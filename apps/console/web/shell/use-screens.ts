import { useSession } from '../api/use-api.ts';
import { groups, isOfAccount, type ScreenLink, screens } from './screens.ts';
import { useFrameAccountId } from './use-account.ts';

interface ScreenGroup {
  readonly group: (typeof groups)[number];
  readonly screens: readonly ScreenLink[];
}

/** The screens that the person who is signed in may see, in their groups. */
export const useScreens = (): readonly ScreenGroup[] => {
  const may = useSession().person?.may ?? [];
  const hasAccount = useFrameAccountId() !== undefined;
  const isOpen = (screen: ScreenLink) => may.includes(screen.needs) && (hasAccount || !isOfAccount(screen));
  return groups
    .map((group) => ({
      group,
      screens: screens.filter((screen) => screen.group === group && isOpen(screen)),
    }))
    .filter((one) => one.screens.length > 0);
};
