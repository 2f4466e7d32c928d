import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api.ts';
import { Field } from '../parts/form.tsx';
import { MenuItem } from '../parts/menu.tsx';
import { useTexts } from '../text/language.tsx';
import { isOfAccount, pathIn, useMenu } from './navigation.tsx';
import { shellTexts } from './texts.ts';
import { useFrameAccount } from './use-account.ts';

const searchedFrom = 8;

/** A search in the accounts of the person by name; `field` is nothing while they are few. */
export const useAccountSearch = (label: string) => {
  const { accounts } = useSession();
  const [wanted, setWanted] = useState('');
  return {
    accounts,
    isFound: (name: string): boolean => name.toLowerCase().includes(wanted.trim().toLowerCase()),
    field: accounts.length >= searchedFrom && (
      <Field label={label} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
    ),
  };
};

/** Opens the same screen of another account, without its filters: they name pages and connections of this one. */
export const useSwitchAccount = (): ((account: string) => void) => {
  const navigate = useNavigate();
  const matches = useMatchRoute();
  const screens = useMenu().filter(isOfAccount);
  return (account) => {
    const open = screens.find(({ path }) => matches({ to: path, fuzzy: true }) !== false);
    void navigate({ to: pathIn(open?.path ?? '/a/$account/overview', account) });
  };
};

const shownMax = 50;

/** The accounts to choose from, with a search if there are many. */
export const AccountList = ({ onChosen }: { readonly onChosen: () => void }) => {
  const texts = useTexts(shellTexts);
  const { accounts, isFound, field } = useAccountSearch(texts.findAccount);
  const current = useFrameAccount();
  const switchTo = useSwitchAccount();
  const found = accounts.filter(({ name }) => isFound(name));
  return (
    <>
      {field}
      {found.slice(0, shownMax).map((account) => (
        <MenuItem
          key={account.id}
          isCurrent={account === current}
          note={account.status === 'suspended' ? texts.suspended : undefined}
          onSelect={() => {
            switchTo(String(account.id));
            onChosen();
          }}
        >
          {account.name}
        </MenuItem>
      ))}
      {found.length === 0 && <p>{texts.paletteEmpty}</p>}
    </>
  );
};
