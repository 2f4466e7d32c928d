import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/use-api.ts';
import type { IconName } from '../parts/icon.tsx';
import { languageNames, useLanguage, useTexts } from '../text/language.tsx';
import { chooseTheme, themes } from '../theme.ts';
import { useSwitchAccount } from './use-switch-account.ts';
import { languageList } from './languages.ts';
import { shellTexts } from './texts.ts';
import { useFrameAccountId } from './use-account.ts';
import { useScreens } from './use-screens.ts';
import { useSignOut } from './use-sign-out.ts';

export interface Command {
  readonly key: string;
  readonly title: string;
  readonly icon?: IconName;
  readonly run: () => void;
}

/** Everything that the palette can do. */
export const useCommands = (): readonly Command[] => {
  const texts = useTexts(shellTexts);
  const navigate = useNavigate();
  const account = useFrameAccountId() ?? '';
  const { accounts } = useSession();
  const { choose } = useLanguage();
  const switchTo = useSwitchAccount();
  const signOut = useSignOut();
  const screens = useScreens().flatMap((group) => group.screens);
  return [
    ...screens.map(({ name, to, icon }) => ({
      key: name,
      title: texts[name],
      icon,
      run: () => void navigate({ to, params: { account } }),
    })),
    ...accounts.map(({ id, name }) => ({
      key: `account ${id}`,
      title: texts.switchTo(name),
      run: () => switchTo(String(id)),
    })),
    ...themes.map((theme) => ({
      key: `theme ${theme}`,
      title: `${texts.theme}: ${texts.themes[theme]}`,
      run: () => chooseTheme(theme),
    })),
    ...languageList.map((language) => ({
      key: `language ${language}`,
      title: `${texts.language}: ${languageNames[language]}`,
      run: () => choose(language),
    })),
    { key: 'security', title: texts.security, icon: 'shield', run: () => void navigate({ to: '/security' }) },
    { key: 'sign-out', title: texts.signOut, run: () => void signOut() },
  ];
};
