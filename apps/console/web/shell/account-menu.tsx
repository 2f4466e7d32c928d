import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/use-api.ts';
import { Field } from '../parts/field.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { useTexts } from '../text/language.tsx';
import { isOfAccount, screens } from './screens.ts';
import { shellTexts } from './texts/index.ts';
import { useFrameAccount, useFrameAccountId } from './use-account.ts';

const searchedFrom = 8;
const shownMax = 50;

/** Opens the same screen of another account, without its filters: they name pages and connections of this one. */
export const useSwitchAccount = (): ((account: string) => void) => {
  const navigate = useNavigate();
  const matches = useMatchRoute();
  return (account) => {
    const screen = screens.filter(isOfAccount).find(({ to }) => matches({ to, fuzzy: true }) !== false) ?? screens[0];
    void navigate({ to: screen.to, params: { account } });
  };
};

export const AccountMenu = () => {
  const texts = useTexts(shellTexts);
  const { accounts } = useSession();
  const current = useFrameAccount();
  const id = useFrameAccountId();
  const switchTo = useSwitchAccount();
  const [wanted, setWanted] = useState('');
  const found = accounts.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const name = current?.name ?? (id === undefined ? texts.noAccount : `#${id}`);
  return (
    <Menu look="wide" label={name} name={`${texts.account}: ${name}`}>
      {(close) => (
        <>
          {accounts.length >= searchedFrom && (
            <Field
              label={texts.findAccount}
              type="search"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          )}
          {found.slice(0, shownMax).map((account) => (
            <MenuItem
              key={account.id}
              isCurrent={account === current}
              note={account.status === 'suspended' ? texts.suspended : undefined}
              onSelect={() => {
                switchTo(String(account.id));
                close();
              }}
            >
              {account.name}
            </MenuItem>
          ))}
          {found.length === 0 && <p>{texts.paletteEmpty}</p>}
        </>
      )}
    </Menu>
  );
};
