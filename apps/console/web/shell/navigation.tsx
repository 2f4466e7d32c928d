import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/use-api.ts';
import { Icon } from '../parts/icon.tsx';
import { undeliveredQuery } from '../screens/undelivered/queries.ts';
import { useTexts } from '../text/language.tsx';
import { useFormat } from '../text/use-format.ts';
import { MoreScreens } from './more-screens.tsx';
import styles from './style.module.css';
import type { ScreenLink } from './screens.ts';
import { shellTexts } from './texts.ts';
import { useFrameAccountId } from './use-account.ts';
import { useScreens } from './use-screens.ts';

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
