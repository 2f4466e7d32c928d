import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { VisibleAccount } from '../../src/contract/session.ts';
import { useSession } from '../api.ts';
import { createStore, kept, useStore } from '../state.ts';

/** The account in the URL. The server decides whether the person may see it. For screens of an account. */
export const useAccountId = (): string =>
  useParams({ from: '/signed-in/a/$account', select: ({ account }) => account });

const lastAccount = createStore<string | undefined>(undefined);

/**
 * The account whose screens the frame offers: that of the URL; on screens across accounts, the last one that was open,
 * else the first. Undefined: there is none.
 */
export const useFrameAccountId = (): string | undefined => {
  const inUrl = useParams({ strict: false, select: ({ account }) => account });
  const last = useStore(lastAccount);
  const { accounts } = useSession();
  useEffect(() => {
    if (inUrl !== undefined) lastAccount.set(inUrl);
  }, [inUrl]);
  // the last one may be that of somebody else, who signed out
  const known = accounts.find(({ id }) => String(id) === last) ?? accounts[0];
  return inUrl ?? (known && String(known.id));
};

const lastZone = kept('leadback.time-zone');

/** The time zone of the account that was open last, as long as the session is on its way. */
export const expectedTimeZone = (): string => lastZone.read() ?? 'UTC';

/** The time zone in which the days of the account begin. */
export const useTimeZone = (): string => {
  const known = useFrameAccount()?.timeZone;
  useEffect(() => {
    if (known !== undefined) lastZone.write(known);
  }, [known]);
  return known ?? 'UTC';
};

/** Undefined: not among the accounts of the session, which names at most 500. */
export const useFrameAccount = (): VisibleAccount | undefined => {
  const id = Number(useFrameAccountId());
  return useSession().accounts.find((account) => account.id === id);
};
