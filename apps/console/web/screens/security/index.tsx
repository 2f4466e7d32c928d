import { useQuery } from '@tanstack/react-query';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ChangePasswordInput, PersonSessionView } from '../../../src/contract/security.ts';
import { ApiError, useApi, useSession } from '../../api.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { Field, formText } from '../../parts/form.tsx';
import { Card, Loaded, ScreenHead, backLook } from '../../parts/layout.tsx';
import { Failure, Toasts } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { GuessedCodes } from '../../shell/guessed-codes.tsx';
import { PersonMenu } from '../../shell/menus.tsx';
import { Brand } from '../../shell/notice.tsx';
import { useTexts } from '../../text/language.tsx';
import { changePassword, endSessions, PasskeyCard, securityQuery, useChange } from './parts.tsx';
import styles from './style.module.css';
import { securityTexts } from './texts.ts';

const passwordMin = 12;
const passwordMax = 200;

const PasswordCard = ({ email }: { readonly email: string }) => {
  const texts = useTexts(securityTexts);
  const form = useRef<HTMLFormElement>(null);
  const change = useChange({
    change: (api, input: ChangePasswordInput) => changePassword(api, input),
    done: () => texts.passwordChanged,
    onDone: () => form.current?.reset(),
  });
  const isWrong = change.error instanceof ApiError && change.error.is('password-wrong');
  const isGuessable = change.error instanceof ApiError && change.error.code === 'password-guessable';
  return (
    <Card title={texts.password}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const sent = new FormData(event.currentTarget);
          change.mutate({ current: formText(sent, 'current'), password: formText(sent, 'password') });
        }}
      >
        {/* password managers save the email with the password */}
        <input
          className="visually-hidden"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <Field
          label={texts.currentPassword}
          name="current"
          type="password"
          autoComplete="current-password"
          problem={isWrong ? texts.passwordWrong : undefined}
          maxLength={passwordMax}
          required
        />
        <Field
          label={texts.newPassword}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={passwordMin}
          maxLength={passwordMax}
          hint={texts.passwordHint(passwordMin)}
          problem={isGuessable ? texts.passwordGuessable : undefined}
          required
        />
        {change.error && !isWrong && !isGuessable && <Failure error={change.error} />}
        <div>
          <Button type="submit" isBusy={change.isPending}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
};

const SessionCard = ({ sessions }: { readonly sessions: readonly PersonSessionView[] }) => {
  const texts = useTexts(securityTexts);
  const end = useChange({
    change: endSessions,
    done: (_, id: number | undefined) => (id === undefined ? texts.endedOthers : texts.ended),
  });
  const nameOf = ({ device }: PersonSessionView) => device ?? texts.unknownDevice;
  const columns: readonly Column<PersonSessionView>[] = [
    {
      key: 'device',
      title: texts.device,
      isTitle: true,
      cell: (session) => (
        <span className={styles.device}>
          <strong>{nameOf(session)}</strong>
          {session.isCurrent && <Badge tone="good">{texts.current}</Badge>}
        </span>
      ),
    },
    { key: 'seen', title: texts.seenAt, cell: ({ seenAt }) => <Time at={seenAt} look="ago" /> },
    { key: 'started', title: texts.startedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'actions',
      title: texts.actions,
      align: 'end',
      isTitle: true,
      cell: (session) =>
        !session.isCurrent && (
          <div className={styles.actions}>
            <Button
              look="quiet"
              aria-label={texts.endNamed(nameOf(session))}
              isBusy={end.isPending && end.variables === session.id}
              data-open
              onClick={() => end.mutate(session.id)}
            >
              {texts.end}
            </Button>
          </div>
        ),
    },
  ];
  return (
    <Card
      title={texts.sessions}
      tools={
        sessions.length > 1 && (
          <Button isBusy={end.isPending && end.variables === undefined} onClick={() => end.mutate(undefined)}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      {end.error && (
        <div className={styles.inset}>
          <Failure error={end.error} />
        </div>
      )}
      <Table caption={texts.sessions} columns={columns} rows={sessions} keyOf={({ id }) => id} />
    </Card>
  );
};

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
          className={backLook}
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
