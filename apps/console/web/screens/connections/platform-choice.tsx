import { Link } from '@tanstack/react-router';
import type { PlatformForm } from '../../../src/contract/connections.ts';
import { Platform } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { connectionTexts } from './texts.ts';

/** The first step: which platform, and what is needed for it. */
export const PlatformChoice = ({ platforms }: { readonly platforms: readonly PlatformForm[] }) => {
  const texts = useTexts(connectionTexts);
  const account = useAccountId();
  return (
    <ul className={styles.platforms}>
      {platforms.map(({ name }) => (
        <li key={name} data-row>
          <Link
            to="/a/$account/connections/new"
            params={{ account }}
            search={{ platform: name, step: 'settings' }}
            className={styles.platform}
            data-open
          >
            <Platform name={name} />
            <span>{texts.needed[name]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
