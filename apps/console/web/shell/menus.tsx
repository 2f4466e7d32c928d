import type { Language } from '@leadback/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { sessionQuery, useApi, useSession } from '../api.ts';
import { Menu, MenuGroup, MenuItem } from '../parts/menu.tsx';
import { chooseTheme, currentTheme, themes, useStore } from '../state.ts';
import { languageNames, useLanguage, useTexts } from '../text/language.tsx';
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

export const languageList: readonly Language[] = ['en', 'es', 'pt'];

export const useSignOut = (): (() => Promise<void>) => {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const session = await api.postSession('/api/session/sign-out', {});
    await navigate({ to: '/sign-in' });
    // nothing that this person saw stays in memory
    client.clear();
    client.setQueryData(sessionQuery(api).queryKey, session);
  };
};

/** Who is signed in, the choices of this browser, and the way out. */
export const PersonMenu = () => {
  const texts = useTexts(shellTexts);
  const { person } = useSession();
  const { language, choose } = useLanguage();
  const theme = useStore(currentTheme);
  const signOut = useSignOut();
  const navigate = useNavigate();
  return (
    <Menu look="quiet" icon="person" label={person?.email ?? ''} name={`${texts.menu}: ${person?.email ?? ''}`}>
      {(close) => (
        <>
          {person && <MenuGroup title={`${texts.roles[person.role]} · ${person.email}`} />}
          <MenuGroup title={texts.language}>
            {languageList.map((one) => (
              <MenuItem key={one} isCurrent={one === language} onSelect={() => choose(one)}>
                {languageNames[one]}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup title={texts.theme}>
            {themes.map((one) => (
              <MenuItem key={one} isCurrent={one === theme} onSelect={() => chooseTheme(one)}>
                {texts.themes[one]}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup title="Leadback">
            <MenuItem
              onSelect={() => {
                close();
                void navigate({ to: '/security' });
              }}
            >
              {texts.security}
            </MenuItem>
            <MenuItem
              onSelect={() => {
                close();
                void signOut();
              }}
            >
              {texts.signOut}
            </MenuItem>
          </MenuGroup>
        </>
      )}
    </Menu>
  );
};
