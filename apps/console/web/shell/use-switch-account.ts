import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import { isOfAccount, screens } from './screens.ts';

/** Opens the same screen of another account, without its filters: they name pages and connections of this one. */
export const useSwitchAccount = (): ((account: string) => void) => {
  const navigate = useNavigate();
  const matches = useMatchRoute();
  return (account) => {
    const screen = screens.filter(isOfAccount).find(({ to }) => matches({ to, fuzzy: true }) !== false) ?? screens[0];
    void navigate({ to: screen.to, params: { account } });
  };
};
