import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { AttentionReply } from '../../src/contract/undelivered.ts';
import { useApi, useMay } from '../api.ts';
import { Button, classNames } from '../parts/button.tsx';
import { calledAs, titleOf } from '../parts/platform.tsx';
import { Time } from '../parts/values.tsx';
import { attentionQuery } from '../screens/undelivered/queries.ts';
import { useFormat, useLanguage, useTexts } from '../text/language.tsx';
import { attentionTexts } from './attention-texts.ts';
import styles from './attention.module.css';

const useMoney = (): ((money: AttentionReply['untold']['money']) => string) => {
  const format = useFormat();
  return (money) => money.map(({ amount, currency }) => format.money(amount, currency)).join(' · ');
};

/** `6`, or `10,000 or more`. */
const useCount = (): ((count: number, isPartial: boolean) => string) => {
  const texts = useTexts(attentionTexts);
  const format = useFormat();
  return (count, isPartial) => (isPartial ? texts.orMore(format.count(count)) : format.count(count));
};

type Held = AttentionReply['connections'][number];

/** A connection that holds deliveries: how many, how much money, why, and the button that begins to fix it. */
const HeldConnection = ({ held, account }: { readonly held: Held; readonly account: string }) => {
  const texts = useTexts(attentionTexts);
  const { language } = useLanguage();
  const money = useMoney()(held.money);
  const count = useCount()(held.deliveries, false);
  const navigate = useNavigate();
  const mayFix = useMay('manage-connections');
  const { connectionId, platform, state, since, reason, remedy, tooOldAt } = held;
  const title = texts.titles[state](titleOf(platform), calledAs(held));
  const fix = remedy?.change.join(',');
  return (
    <section className={classNames(styles.attention, state === 'paused' && styles.isPaused)} aria-label={title}>
      <h2>
        {title} <Time at={since} look="ago" />
      </h2>
      <p>
        {held.deliveries === 0 ? texts.nothingWaits : texts.waits(count, money, held.isPartial)}{' '}
        {tooOldAt !== null && (
          <>
            {texts.tooOld} <Time at={tooOldAt} />.
          </>
        )}
      </p>
      {reason !== null && <q lang="en">{reason}</q>}
      {remedy !== null && <p>{remedy.words[language]}</p>}
      {mayFix ? (
        <Button
          look="primary"
          onClick={() =>
            void navigate({
              to: '/a/$account/connections/$connection',
              params: { account, connection: String(connectionId) },
              search: fix === undefined || fix === '' ? {} : { fix },
            })
          }
        >
          {texts.fix[state]}
        </Button>
      ) : (
        <p>{texts.mayNotFix}</p>
      )}
    </section>
  );
};

/** A shop or service whose sales do not count, and the way to its screen. */
const HeldSource = ({
  held: { id, title, label, trouble, since, reason, waiting, refused },
  account,
}: {
  readonly held: AttentionReply['sources'][number];
  readonly account: string;
}) => {
  const texts = useTexts(attentionTexts);
  const format = useFormat();
  const mayFix = useMay('manage-connections');
  const name = texts.sources[trouble](title === label ? title : `${title} · ${label}`);
  return (
    <section className={classNames(styles.attention, trouble === 'paused' && styles.isPaused)} aria-label={name}>
      <h2>
        {name} <Time at={since} look="ago" />
      </h2>
      <p>
        {trouble === 'refused' && texts.sourceRefused(format.count(refused))}
        {trouble !== 'refused' && (waiting === 0 ? texts.nothingWaits : texts.sourceWaits(format.count(waiting)))}
      </p>
      {reason !== null && <q lang="en">{reason}</q>}
      {mayFix ? (
        <Link to="/a/$account/connections/sources/$source" params={{ account, source: String(id) }}>
          {texts.seeSource}
        </Link>
      ) : (
        <p>{texts.mayNotFix}</p>
      )}
    </section>
  );
};

/** Sales that no platform was told of, and the way to tell one. */
const UntoldSales = ({ untold, account }: Pick<AttentionReply, 'untold'> & { readonly account: string }) => {
  const texts = useTexts(attentionTexts);
  const money = useMoney()(untold.money);
  const count = useCount()(untold.conversions, untold.isPartial);
  const mayFix = useMay('manage-connections');
  const [only, ...others] = untold.connectionIds;
  const link = { params: { account } } as const;
  return (
    <section className={classNames(styles.attention, styles.isPaused)} aria-label={texts.untoldTitle}>
      <h2>{texts.untoldTitle}</h2>
      <p>
        {texts.untold(count, money)} {only === undefined ? texts.untoldConnect : texts.untoldReport}
      </p>
      {!mayFix && <p>{texts.mayNotFix}</p>}
      {mayFix && only === undefined && (
        <Link {...link} to="/a/$account/connections/new" search={{}}>
          {texts.connect}
        </Link>
      )}
      {mayFix && only !== undefined && others.length === 0 && (
        <Link
          to="/a/$account/connections/$connection"
          params={{ account, connection: String(only) }}
          search={{ report: 'now' }}
        >
          {texts.report}
        </Link>
      )}
      {mayFix && others.length > 0 && (
        <Link {...link} to="/a/$account/connections">
          {texts.chooseConnection}
        </Link>
      )}
    </section>
  );
};

const shownMax = 3;

/** What waits for a person, on every screen of the account; a connection's own screen says it of itself. */
export const Attention = ({ account }: { readonly account: string }) => {
  const texts = useTexts(attentionTexts);
  const { data } = useQuery(attentionQuery(useApi(), account));
  const open = useParams({ strict: false, select: ({ connection }) => Number(connection) });
  const openSource = useParams({ strict: false, select: ({ source }) => Number(source) });
  if (!data) return null;
  const held = data.connections.filter(({ connectionId }) => connectionId !== open);
  const others = held.length - shownMax;
  return (
    <>
      {held.slice(0, shownMax).map((one) => (
        <HeldConnection key={one.connectionId} held={one} account={account} />
      ))}
      {others > 0 && (
        <Link to="/a/$account/connections" params={{ account }}>
          {texts.others(others)}
        </Link>
      )}
      {data.sources
        .filter(({ id }) => id !== openSource)
        .slice(0, shownMax)
        .map((one) => (
          <HeldSource key={one.id} held={one} account={account} />
        ))}
      {data.untold.conversions > 0 && <UntoldSales untold={data.untold} account={account} />}
    </>
  );
};
