import { useState } from 'react';
import { useSession } from '../api/use-api.ts';
import { Field } from '../parts/field.tsx';
import { MenuItem } from '../parts/menu.tsx';
import { useTexts } from '../text/language.tsx';
import { shellTexts } from './texts/index.ts';
import { useFrameAccount } from './use-account.ts';
import { useSwitchAccount } from './use-switch-account.ts';

const searchedFrom = 8;
const shownMax = 50;

/** The accounts to choose from, with a search if there are many. */
export const AccountList = ({ onChosen }: { readonly onChosen: () => void }) => {
  const texts = useTexts(shellTexts);
  const { accounts } = useSession();
  const current = useFrameAccount();
  const switchTo = useSwitchAccount();
  const [wanted, setWanted] = useState('');
  const found = accounts.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
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
