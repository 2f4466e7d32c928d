import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useSession } from '../api.ts';
import { Icon, type IconName } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { chooseTheme, textToFind, themes } from '../state.ts';
import { languageNames, useLanguage, useTexts } from '../text/language.tsx';
import { useSwitchAccount } from './account-list.tsx';
import styles from './late.module.css';
import { languageList, useSignOut } from './menus.tsx';
import { pathIn, useScreens } from './navigation.tsx';
import { paletteTexts } from './palette-texts.ts';
import { shellTexts } from './texts.ts';
import { useFrameAccountId } from './use-account.ts';

interface Command {
  readonly key: string;
  readonly title: string;
  readonly icon?: IconName;
  readonly run: () => void;
}

/** Everything that the palette can do. */
const useCommands = (): readonly Command[] => {
  const texts = useTexts(shellTexts);
  const own = useTexts(paletteTexts);
  const navigate = useNavigate();
  const account = useFrameAccountId() ?? '';
  const { accounts } = useSession();
  const { choose } = useLanguage();
  const switchTo = useSwitchAccount();
  const signOut = useSignOut();
  const screens = useScreens().flatMap((group) => group.screens);
  return [
    ...screens.map(({ name, title, path, icon }) => ({
      key: name,
      title,
      icon,
      run: () => void navigate({ to: pathIn(path, account) }),
    })),
    ...accounts.map(({ id, name }) => ({
      key: `account ${id}`,
      title: own.switchTo(name),
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

const shownMax = 12;

/** Looks for an order, a person or a delivery of the account. Nothing for who may not. */
const useFinding = (wanted: string): readonly Command[] => {
  const texts = useTexts(paletteTexts);
  const navigate = useNavigate();
  const account = useFrameAccountId();
  const may = useSession().person?.may ?? [];
  const text = wanted.trim();
  if (text === '' || account === undefined || !may.includes('read')) return [];
  const run = () => {
    textToFind.set(text);
    void navigate({ to: '/a/$account/find', params: { account }, search: {} });
  };
  return [{ key: 'find text', title: texts.findText(text), icon: 'search', run }];
};

/** Lower case, without accents. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Chooses a command by its name, with the keyboard alone. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const texts = useTexts(shellTexts);
  const own = useTexts(paletteTexts);
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [current, setCurrent] = useState(0);
  const words = plain(wanted).split(/\s+/);
  const named = useCommands().filter(({ title }) => words.every((word) => plain(title).includes(word)));
  const found = [...named.slice(0, shownMax), ...useFinding(wanted)];
  const run = (index: number) => {
    onClose();
    found[index]?.run();
  };
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setCurrent((current + 1) % Math.max(found.length, 1)),
    ArrowUp: () => setCurrent((current + found.length - 1) % Math.max(found.length, 1)),
    Enter: () => run(current),
  };
  return (
    <Dialog title={texts.palette} onClose={onClose}>
      <input
        className={styles.input}
        role="combobox"
        data-focus
        aria-label={own.paletteHint}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[current] && `${id}${current}`}
        placeholder={own.paletteHint}
        value={wanted}
        onChange={(event) => {
          setWanted(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={(event) => {
          const act = moves[event.key];
          if (!act) return;
          event.preventDefault();
          act();
        }}
      />
      <div id={id} className={styles.list} role="listbox" aria-label={texts.palette}>
        {found.map(({ key, title, icon }, index) => (
          // the keyboard is that of the input above
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={key}
            id={`${id}${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => run(index)}
          >
            {icon && <Icon name={icon} />}
            {title}
          </div>
        ))}
      </div>
      {found.length === 0 && <p>{texts.paletteEmpty}</p>}
      <p className="tiny">{own.keys}</p>
    </Dialog>
  );
};
