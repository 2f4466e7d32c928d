import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useSession } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { Toasts } from '../parts/notices.tsx';
import { secondFactorAsked, sessionEnded, useStore } from '../state.ts';
import { useTexts } from '../text/language.tsx';
import { AccountMenu, PersonMenu } from './menus.tsx';
import { Navigation } from './navigation.tsx';
import { Brand } from './notice.tsx';
import styles from './style.module.css';
import { shellTexts } from './texts.ts';
import { useFrameAccount, useFrameAccountId } from './use-account.ts';

const SessionLost = lazy(async () => ({ default: (await import('./session-lost.tsx')).SessionLost }));
const SecondFactor = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactor }));

export const Root = () => {
  const isEnded = useStore(sessionEnded);
  const answer = useStore(secondFactorAsked);
  return (
    <>
      <Outlet />
      <Suspense>
        {answer && !isEnded && <SecondFactor onAnswer={answer} />}
        {isEnded && <SessionLost onSignedIn={() => sessionEnded.set(false)} />}
      </Suspense>
    </>
  );
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

/** Moves the focus to the row after or before the one that has it. */
const moveRow = (step: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('[data-open]') ?? []);
  const current = links.findIndex((link) => link.closest('[data-row]')?.contains(document.activeElement));
  const at = current === -1 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1);
  links[at]?.focus();
  links[at]?.scrollIntoView({ block: 'nearest' });
};

/** In an open drawer, j and k open the next and the previous row. */
const move = (step: 1 | -1): void => {
  const drawer = document.querySelector('dialog[open]');
  if (!drawer) return moveRow(step);
  drawer.querySelector<HTMLElement>(step === 1 ? '[data-next]' : '[data-previous]')?.click();
};

/** Focuses the search field of the screen, if it has one. */
const find = (): boolean => {
  const field = document.querySelector<HTMLElement>('main [data-find]');
  field?.focus();
  return field !== null;
};

/** `/` find, `j` `k` rows, Ctrl-K or ⌘K the palette. Enter and Escape are the browser's own. */
const useShortcuts = (onPalette: () => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (isPalette) {
        event.preventDefault();
        return onPalette();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === 'j') move(1);
      if (event.key === 'k') move(-1);
      if (event.key === '/' && !document.querySelector('dialog[open]')) {
        event.preventDefault();
        if (!find()) onPalette();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onPalette]);
};

// not needed to show a screen
const GuessedCodes = lazy(async () => ({ default: (await import('./guessed-codes.tsx')).GuessedCodes }));
const Attention = lazy(async () => ({ default: (await import('./attention.tsx')).Attention }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** The frame of all screens, of an account and across accounts: navigation at the side, below 900 px at the top and the bottom. */
export const Shell = () => {
  const texts = useTexts(shellTexts);
  const account = useFrameAccount();
  const { guessedCodes } = useSession();
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
        <Suspense>{guessedCodes && <GuessedCodes />}</Suspense>
        {isInAccount && account?.status === 'suspended' && (
          <p className={styles.note} role="status">
            {texts.suspendedNote}
          </p>
        )}
        <Suspense>{isInAccount && id !== undefined && <Attention account={id} />}</Suspense>
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
