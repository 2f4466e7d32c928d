import { lazy, Suspense } from 'react';
import { Menu } from '../parts/menu.tsx';
import { useTexts } from '../text/language.tsx';
import { shellTexts } from './texts.ts';
import { useFrameAccount, useFrameAccountId } from './use-account.ts';

// not needed to show a screen
const AccountList = lazy(async () => ({ default: (await import('./account-list.tsx')).AccountList }));

export const AccountMenu = () => {
  const texts = useTexts(shellTexts);
  const current = useFrameAccount();
  const id = useFrameAccountId();
  const name = current?.name ?? (id === undefined ? texts.noAccount : `#${id}`);
  return (
    <Menu look="wide" label={name} name={`${texts.account}: ${name}`}>
      {(close) => (
        <Suspense>
          <AccountList onChosen={close} />
        </Suspense>
      )}
    </Menu>
  );
};
