import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/use-api.ts';
import { Icon } from '../parts/icon.tsx';
import { undeliveredQuery } from '../screens/undelivered/queries.ts';
import { useTexts } from '../text/language.tsx';
import { useFormat } from '../text/use-format.ts';
import styles from './navigation.module.css';
import { screens } from './screens.ts';
import { shellTexts } from './texts/index.ts';
import { useAccountId } from './use-account.ts';

/** How many deliveries ended without success; nothing if none did, or if it is not known. */
const Lost = () => {
  const api = useApi();
  const format = useFormat();
  const { data } = useQuery(undeliveredQuery(api, useAccountId()));
  const lost = data?.groups.reduce((sum, { deliveries }) => sum + deliveries, 0) ?? 0;
  return lost > 0 && <span className={styles.count}>{format.compact(lost)}</span>;
};

export const Navigation = () => {
  const texts = useTexts(shellTexts);
  const account = useAccountId();
  return (
    <nav className={styles.navigation} aria-label={texts.screens}>
      <ul>
        {screens.map(({ name, to, icon }) => (
          <li key={name}>
            <Link to={to} params={{ account }} className={styles.link} activeOptions={{ includeSearch: false }}>
              <Icon name={icon} />
              <span>{texts[name]}</span>
              {name === 'undelivered' && <Lost />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};
