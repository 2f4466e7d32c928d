import { useSession } from '../api/use-api.ts';
import { groups, type ScreenLink, screens } from './screens.ts';

interface ScreenGroup {
  readonly group: (typeof groups)[number];
  readonly screens: readonly ScreenLink[];
}

/** The screens that the person who is signed in may see, in their groups. */
export const useScreens = (): readonly ScreenGroup[] => {
  const may = useSession().person?.may ?? [];
  return groups
    .map((group) => ({
      group,
      screens: screens.filter((screen) => screen.group === group && may.includes(screen.needs)),
    }))
    .filter((one) => one.screens.length > 0);
};
