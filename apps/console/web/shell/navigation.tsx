import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import type { Capability } from '../../src/contract/session.ts';
import { useApi, useSession } from '../api.ts';
import { Icon, type IconName } from '../parts/button.tsx';
import { Menu, MenuGroup, MenuItem } from '../parts/menu.tsx';
import { attentionQuery, undeliveredQuery } from '../screens/undelivered/queries.ts';
import { type Texts, useFormat, useLanguage, useTexts } from '../text/language.tsx';
import styles from './style.module.css';
import { shellTexts } from './texts.ts';
import { useFrameAccountId } from './use-account.ts';

/** What people come for, in the order of the navigation. */
const groupNames = ['results', 'delivery', 'setup', 'data', 'administration'] as const;
type Group = (typeof groupNames)[number];

/** How the navigation shows a screen. A route without it is opened from elsewhere. */
interface MenuEntry {
  readonly group: keyof (typeof shellTexts)['en']['groups'];
  readonly title: Texts<string>;
  readonly icon: IconName;
  /** Shown only to those who may do this. */
  readonly needs: Capability;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly menu?: MenuEntry;
  }
}

interface ScreenLink extends Omit<MenuEntry, 'title'> {
  /** The end of its path. */
  readonly name: string;
  readonly title: string;
  /** With `$account`, unless the screen is across accounts. */
  readonly path: string;
}

export const isOfAccount = ({ path }: ScreenLink): boolean => path.startsWith('/a/');

export const pathIn = (path: string, account: string): string => path.replace('$account', account);

export const useMenu = (): readonly ScreenLink[] => {
  const { language } = useLanguage();
  return Object.values(useRouter().routesByPath).flatMap(({ fullPath: path, options: { staticData } }) => {
    const { menu } = staticData ?? {};
    const name = path.slice(path.lastIndexOf('/') + 1);
    return menu ? [{ ...menu, name, title: menu.title[language], path }] : [];
  });
};

interface ScreenGroup {
  readonly group: Group;
  readonly screens: readonly ScreenLink[];
}

/** The screens that the person who is signed in may see, in their groups. */
export const useScreens = (): readonly ScreenGroup[] => {
  const may = useSession().person?.may ?? [];
  const hasAccount = useFrameAccountId() !== undefined;
  const menu = useMenu();
  const isOpen = (screen: ScreenLink) => may.includes(screen.needs) && (hasAccount || !isOfAccount(screen));
  return groupNames
    .map((group) => ({ group, screens: menu.filter((screen) => screen.group === group && isOpen(screen)) }))
    .filter((one) => one.screens.length > 0);
};

/** The menu of a narrow screen, where the bar at the bottom has room for few. */
const MoreScreens = ({ groups }: { readonly groups: ReturnType<typeof useScreens> }) => {
  const texts = useTexts(shellTexts);
  const navigate = useNavigate();
  const account = useFrameAccountId() ?? '';
  return (
    <div className={styles.more}>
      <Menu
        look="quiet"
        icon="more"
        label={
          <>
            {texts.more}
            {account !== '' && <Waiting />}
          </>
        }
      >
        {(close) =>
          groups.map(({ group, screens }) => (
            <MenuGroup key={group} title={texts.groups[group]}>
              {screens.map(({ name, title, path }) => (
                <MenuItem
                  key={name}
                  onSelect={() => {
                    close();
                    void navigate({ to: pathIn(path, account) });
                  }}
                >
                  {title}
                </MenuItem>
              ))}
            </MenuGroup>
          ))
        }
      </Menu>
    </div>
  );
};

const Count = ({ of }: { readonly of: number }) => {
  const format = useFormat();
  return of > 0 && <span className={styles.count}>{format.compact(of)}</span>;
};

/** How many deliveries ended without success, if somebody can change that; nothing if none did, or if it is not known. */
const Lost = () => {
  const { data } = useQuery(undeliveredQuery(useApi(), useFrameAccountId() ?? ''));
  const lost = data?.groups.filter(({ isFinal }) => !isFinal) ?? [];
  return <Count of={lost.reduce((sum, { deliveries }) => sum + deliveries, 0)} />;
};

/** How many connections wait for a person. */
const Waiting = () => {
  const { data } = useQuery(attentionQuery(useApi(), useFrameAccountId() ?? ''));
  const untold = (data?.untold.conversions ?? 0) > 0 ? 1 : 0;
  return <Count of={(data?.connections.length ?? 0) + (data?.sources.length ?? 0) + untold} />;
};

const Item = ({ screen: { name, title, path, icon } }: { readonly screen: ScreenLink }) => {
  const account = useFrameAccountId() ?? '';
  return (
    <li data-screen={name}>
      <Link to={pathIn(path, account)} className={styles.link} activeOptions={{ includeSearch: false }}>
        <Icon name={icon} />
        <span>{title}</span>
        {name === 'undelivered' && <Lost />}
        {name === 'connections' && <Waiting />}
      </Link>
    </li>
  );
};

/** Grouped at the side; below 900 px the first screens at the bottom, and a menu with the others. */
export const Navigation = () => {
  const texts = useTexts(shellTexts);
  const groups = useScreens();
  return (
    <nav className={styles.navigation} aria-label={texts.screens}>
      {groups.map(({ group, screens }) => (
        <div key={group} className={styles.group}>
          <p id={`screens-${group}`} className={styles.title}>
            {texts.groups[group]}
          </p>
          <ul aria-labelledby={`screens-${group}`}>
            {screens.map((screen) => (
              <Item key={screen.name} screen={screen} />
            ))}
          </ul>
        </div>
      ))}
      <MoreScreens groups={groups} />
    </nav>
  );
};
