import { useParams } from '@tanstack/react-router';
import type { VisibleAccount } from '../../src/contract/session.ts';
import { useSession } from '../api/use-api.ts';

/** The account in the URL. The server decides whether the person may see it. */
export const useAccountId = (): string =>
  useParams({ from: '/signed-in/a/$account', select: ({ account }) => account });

/** Undefined: not among the accounts of the session, which names at most 500. */
export const useAccount = (): VisibleAccount | undefined => {
  const id = Number(useAccountId());
  return useSession().accounts.find((account) => account.id === id);
};
