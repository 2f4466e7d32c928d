import { useQuery } from '@tanstack/react-query';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { useApi, useSession } from '../../api/use-api.ts';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Toasts } from '../../parts/toast.tsx';
import { Brand } from '../../shell/brand.tsx';
import { GuessedCodes } from '../../shell/guessed-codes.tsx';
import { PersonMenu } from '../../shell/person-menu.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { PasskeyCard } from './passkey-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { securityQuery } from './queries.ts';
import styles from './style.module.css';
import { SessionCard } from './session-card.tsx';
import { securityTexts } from './texts.ts';

/** How the person who is signed in may sign in, and where. It is of no account. */
export const SecurityScreen = () => {
  const texts = useTexts(securityTexts);
  const query = useQuery(securityQuery(useApi()));
  const { person } = useSession();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link className={styles.brand} to="/" aria-label="Leadback">
          <Brand />
        </Link>
        <PersonMenu />
      </header>
      <main className={styles.main}>
        <GuessedCodes />
        <Link
          className={styles.back}
          to="/"
          onClick={(event) => {
            if (!canGoBack) return;
            // to the screen that the person came from, with its filters
            event.preventDefault();
            router.history.back();
          }}
        >
          <Icon name="left" />
          {texts.back}
        </Link>
        <ScreenHead title={texts.title} intro={texts.intro(person?.email ?? '')} />
        <Loaded query={query} lines={8}>
          {({ supportsPasskeys, passkeys, sessions }) => (
            <>
              <PasskeyCard isSupported={supportsPasskeys} passkeys={passkeys} />
              <SessionCard sessions={sessions} />
              <PasswordCard email={person?.email ?? ''} />
            </>
          )}
        </Loaded>
      </main>
      <Toasts />
    </div>
  );
};
