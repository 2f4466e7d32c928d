import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { FirstStepsReply } from '../../../src/contract/results.ts';
import type { Capability } from '../../../src/contract/session.ts';
import { type Api, useApi, useSession } from '../../api.ts';
import { classNames, Icon } from '../../parts/button.tsx';
import { Card } from '../../parts/layout.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { firstStepsTexts } from './first-steps-texts.ts';
import styles from './first-steps.module.css';

const pollMs = 5_000;

/** Asked again until the first sale: each step is done on another screen, or by somebody else. */
const firstStepsQuery = (api: Api, account: string) =>
  queryOptions({
    queryKey: ['first-steps', account],
    queryFn: ({ signal }) => api.get<FirstStepsReply>(`/api/accounts/${account}/first-steps`, {}, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.hasLiveSale === true ? false : pollMs),
  });

type Name = keyof (typeof firstStepsTexts)['en']['steps'];

interface Step {
  readonly name: Name;
  readonly isDone: boolean;
  /** Who may do it. */
  readonly needs: Capability;
  /** Where it is done: a screen, or the page of the account. Undefined: an earlier step comes first. */
  readonly to: Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'> | string | undefined;
}

/** So that the test click can be told from others. */
const asTest = (url: string): string => `${url}?utm_campaign=test-click`;

const stepsOf = (steps: FirstStepsReply, account: string): readonly Step[] => {
  const { page, connection, hasClick, hasTestSale, hasLiveSale } = steps;
  const params = { account };
  const keys = { to: '/a/$account/keys', params } as const;
  return [
    {
      name: 'page',
      isDone: page?.isOn === true,
      needs: 'edit-pages',
      to:
        page === null
          ? { to: '/a/$account/pages', params, hash: 'new' }
          : { to: '/a/$account/pages/$page', params: { account, page: String(page.id) } },
    },
    {
      name: 'connection',
      isDone: connection?.state === 'active',
      needs: 'manage-connections',
      to:
        connection === null
          ? { to: '/a/$account/connections/new', params }
          : { to: '/a/$account/connections/$connection', params: { account, connection: String(connection.id) } },
    },
    { name: 'click', isDone: hasClick, needs: 'read', to: page?.isOn === true ? asTest(page.url) : undefined },
    { name: 'testSale', isDone: hasTestSale || hasLiveSale, needs: 'manage-keys', to: keys },
    { name: 'live', isDone: hasLiveSale, needs: 'manage-keys', to: keys },
  ];
};

/** What a step says beside its title, and what its button does; both follow from what is there already. */
const wordsOf = (texts: (typeof firstStepsTexts)['en'], name: Name, steps: FirstStepsReply) => {
  const { page, connection, hasTestKey, hasLiveKey } = steps;
  if (name === 'page' && page !== null) return texts.pageIsOff;
  if (name === 'connection' && connection !== null && connection.state !== 'active') return texts.held;
  if (name === 'testSale' && hasTestKey) return texts.hasTestKey;
  if (name === 'live' && hasLiveKey) return texts.hasLiveKey;
  return texts.steps[name];
};

interface StepLinkProps extends Pick<Step, 'to'> {
  readonly isNext: boolean;
  readonly title: string;
  readonly children: string;
}

/** The one way on from a step. Its name for a screen reader says of which. */
const StepLink = ({ to, isNext, title, children }: StepLinkProps) => {
  const look = { className: classNames(styles.go, isNext && styles.primary), 'aria-label': `${children}: ${title}` };
  if (to === undefined) return null;
  if (typeof to !== 'string') {
    return (
      <Link {...to} {...look}>
        {children}
      </Link>
    );
  }
  return (
    <a href={to} target="_blank" rel="noreferrer" {...look}>
      {children}
      <Icon name="external" />
    </a>
  );
};

interface FirstStepsProps {
  /** Shown in its place, if the account has had its first live sale. */
  readonly children?: ReactNode;
}

/** What is left to do until the first live sale of an account. */
export const FirstSteps = ({ children }: FirstStepsProps) => {
  const texts = useTexts(firstStepsTexts);
  const account = useAccountId();
  const client = useQueryClient();
  const may = useSession().person?.may ?? [];
  const { data, isError } = useQuery(firstStepsQuery(useApi(), account));
  const before = useRef<FirstStepsReply>(undefined);
  useEffect(() => {
    const { current } = before;
    before.current = data;
    if (!current || !data) return;
    // what has come in is in the figures, too
    const hasCome = current.hasClick !== data.hasClick || current.hasLiveSale !== data.hasLiveSale;
    if (hasCome) void client.invalidateQueries({ queryKey: ['overview', account] });
  }, [client, account, data]);
  if (isError || data?.hasLiveSale === true) return children;
  if (!data) return null;
  const steps = stepsOf(data, account);
  const next = steps.find(({ isDone }) => !isDone)?.name;
  return (
    <Card title={texts.title}>
      <p className={styles.intro}>{texts.intro(steps.filter(({ isDone }) => isDone).length, steps.length)}</p>
      <ol className={styles.steps}>
        {steps.map(({ name, isDone, needs, to }, place) => {
          const { title } = texts.steps[name];
          const { text, action } = wordsOf(texts, name, data);
          const state = isDone ? 'done' : name === next ? 'next' : 'open';
          return (
            <li key={name} className={styles[state]} aria-current={state === 'next' ? 'step' : undefined}>
              <span className={styles.mark} aria-hidden="true">
                {isDone ? <Icon name="check" /> : place + 1}
              </span>
              <div>
                <h3>
                  {title} <span className={styles.state}>{texts.states[state]}</span>
                </h3>
                {!isDone && <p>{text}</p>}
                {!isDone && needs === 'manage-keys' && may.includes('import-sales') && (
                  <p>
                    {texts.fileText}{' '}
                    <Link to="/a/$account/imports" params={{ account }}>
                      {texts.fileAction}
                    </Link>
                  </p>
                )}
                {!isDone && !may.includes(needs) && <p>{texts.mayNot}</p>}
              </div>
              {!isDone && may.includes(needs) && (
                <StepLink to={to} isNext={state === 'next'} title={title}>
                  {action}
                </StepLink>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
};
