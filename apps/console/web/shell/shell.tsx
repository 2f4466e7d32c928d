import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Toasts } from '../parts/toast.tsx';
import { useTexts } from '../text/language.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import { GuessedCodes } from './guessed-codes.tsx';
import { Navigation } from './navigation.tsx';
import { PersonMenu } from './person-menu.tsx';
import styles from './style.module.css';
import { shellTexts } from './texts.ts';
import { useFrameAccount, useFrameAccountId } from './use-account.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** The frame of all screens, of an account and across accounts: navigation at the side, below 900 px at the top and the bottom. */
export const Shell = () => {
  const texts = useTexts(shellTexts);
  const account = useFrameAccount();
  const id = useFrameAccountId();
  const isInAccount = useParams({ strict: false, select: (params) => params.account !== undefined });
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  useShortcuts(useCallback(() => setPaletteOpen(true), []));
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {texts.skip}
      </a>
      <header className={styles.side}>
        <Link
          className={styles.brand}
          to={id === undefined ? '/' : '/a/$account/overview'}
          params={{ account: id ?? '' }}
          aria-label="Leadback"
        >
          <Brand />
        </Link>
        <div className={styles.account}>
          <AccountMenu />
        </div>
        <Navigation />
        <div className={styles.foot}>
          <Button look="quiet" icon="search" aria-label={texts.palette} onClick={() => setPaletteOpen(true)} />
          <PersonMenu />
        </div>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <GuessedCodes />
        {isInAccount && account?.status === 'suspended' && (
          <p className={styles.note} role="status">
            {texts.suspendedNote}
          </p>
        )}
        <Outlet />
      </main>
      <Toasts />
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
};
