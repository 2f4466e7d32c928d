import { MenuItem } from '../parts/menu.tsx';
import { useTexts } from '../text/language.tsx';
import { shellTexts } from './texts.ts';
import { useFrameAccount } from './use-account.ts';
import { useAccountSearch } from './use-account-search.tsx';
import { useSwitchAccount } from './use-switch-account.ts';

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
