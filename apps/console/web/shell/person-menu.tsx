import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/use-api.ts';
import { Menu, MenuGroup, MenuItem } from '../parts/menu.tsx';
import { useStore } from '../store.ts';
import { languageNames, useLanguage, useTexts } from '../text/language.tsx';
import { chooseTheme, currentTheme, themes } from '../theme.ts';
import { languageList } from './languages.ts';
import { shellTexts } from './texts.ts';
import { useSignOut } from './use-sign-out.ts';

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
