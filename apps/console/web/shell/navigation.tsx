import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useApi, useSession } from '../api.ts';
import { Icon } from '../parts/button.tsx';
import { Menu, MenuGroup, MenuItem } from '../parts/menu.tsx';
import { undeliveredQuery } from '../screens/undelivered/queries.ts';
import { useFormat, useTexts } from '../text/language.tsx';
import { isOfAccount, type ScreenLink, screenGroups, screenLinks } from './screens.ts';
import styles from './style.module.css';
import { shellTexts } from './texts.ts';
import { useFrameAccountId } from './use-account.ts';

interface ScreenGroup {
  readonly group: (typeof screenGroups)[number];
  readonly screens: readonly ScreenLink[];
}

/** The screens that the person who is signed in may see, in their groups. */
export const useScreens = (): readonly ScreenGroup[] => {
  const may = useSession().person?.may ?? [];
  const hasAccount = useFrameAccountId() !== undefined;
  const isOpen = (screen: ScreenLink) => may.includes(screen.needs) && (hasAccount || !isOfAccount(screen));
  return screenGroups
    .map((group) => ({
      group,
      screens: screenLinks.filter((screen) => screen.group === group && isOpen(screen)),
    }))
    .filter((one) => one.screens.length > 0);
};

/** The menu of a narrow screen, where the bar at the bottom has room for few. */
const MoreScreens = ({ groups }: { readonly groups: ReturnType<typeof useScreens> }) => {
  const texts = useTexts(shellTexts);
  const navigate = useNavigate();
  const account = useFrameAccountId() ?? '';
  const open = (to: ScreenLink['to']) => void navigate({ to, params: { account } });
  return (
    <div className={styles.more}>
      <Menu look="quiet" icon="more" label={texts.more}>
        {(close) =>
          groups.map(({ group, screens }) => (
            <MenuGroup key={group} title={texts.groups[group]}>
              {screens.map(({ name, to }) => (
                <MenuItem
                  key={name}
                  onSelect={() => {
                    close();
                    open(to);
                  }}
                >
                  {texts[name]}
                </MenuItem>
              ))}
            </MenuGroup>
          ))
        }
      </Menu>
    </div>
  );
};

/** How many deliveries ended without success; nothing if none did, or if it is not known. */
const Lost = () => {
  const api = useApi();
  const format = useFormat();
  const { data } = useQuery(undeliveredQuery(api, useFrameAccountId() ?? ''));
  const lost = data?.groups.reduce((sum, { deliveries }) => sum + deliveries, 0) ?? 0;
  return lost > 0 && <span className={styles.count}>{format.compact(lost)}</span>;
};

const Item = ({ screen: { name, to, icon } }: { readonly screen: ScreenLink }) => {
  const texts = useTexts(shellTexts);
  const account = useFrameAccountId() ?? '';
  return (
    <li data-screen={name}>
      <Link to={to} params={{ account }} className={styles.link} activeOptions={{ includeSearch: false }}>
        <Icon name={icon} />
        <span>{texts[name]}</span>
        {name === 'undelivered' && <Lost />}
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
