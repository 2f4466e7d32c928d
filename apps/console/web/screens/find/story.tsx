import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import type { StoryClient, StoryConversion, StoryLead, StoryReply } from '../../../src/contract/find.ts';
import { useApi } from '../../api.ts';
import { Button, classNames, Icon, type IconName } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Card, Loaded } from '../../parts/layout.tsx';
import { showToast } from '../../parts/notices.tsx';
import { calledAs, Platform } from '../../parts/platform.tsx';
import { ReasonTitle } from '../../reason/reason.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import type { FindSearch } from '../../search.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { StateBadge } from '../deliveries/parts.tsx';
import { storyQuery } from './queries.ts';
import styles from './style.module.css';
import { findTexts } from './texts.ts';

type Click = StoryClient['clicks'][number];

const useClickName = () => {
  const format = useFormat();
  return ({ clickedAt, campaign, page }: Click): string => `${format.time(clickedAt)}, ${campaign ?? page}`;
};

interface DeliveryLinesProps {
  readonly deliveries: readonly Delivery[];
  /** Of the client, if it has several. */
  readonly clicks?: readonly Click[];
}

/** What each platform was told, with a link to its attempts. */
const DeliveryLines = ({ deliveries, clicks = [] }: DeliveryLinesProps) => {
  const texts = useTexts(findTexts);
  const account = useAccountId();
  const nameOf = useClickName();
  if (deliveries.length === 0) return <p className="soft">{texts.noDeliveries}</p>;
  return (
    <ul className={styles.deliveries} aria-label={texts.deliveries}>
      {deliveries.map((delivery) => (
        <li key={delivery.id} className={styles.delivery} data-row>
          <Link
            to="/a/$account/deliveries/$delivery"
            params={{ account, delivery: String(delivery.id) }}
            search={{ conversion: delivery.conversionId ?? undefined, test: delivery.isTest ? 'true' : undefined }}
            className={styles.platform}
            data-open
          >
            <Platform name={delivery.platform} />
          </Link>
          <small>
            {calledAs(delivery)}
            {delivery.isConnectionDeleted && ` (${texts.deletedConnection})`}
          </small>
          <StateBadge delivery={delivery} />
          {delivery.code !== null && (
            <small title={delivery.reason ?? undefined}>
              <ReasonTitle code={delivery.code} platform={delivery.platform} />
            </small>
          )}
          {clicks.map(
            (click) =>
              click.leadId === delivery.leadId && <small key={click.leadId}>{texts.ofClick(nameOf(click))}</small>,
          )}
          <span className={styles.when}>
            <Time at={delivery.closedAt ?? delivery.createdAt} look="ago" />
          </span>
        </li>
      ))}
    </ul>
  );
};

interface FactProps {
  readonly title: string;
  /** Null or nothing: there is no such fact. */
  readonly children: ReactNode;
}

const Fact = ({ title, children }: FactProps) =>
  children !== null &&
  children !== false && (
    <div className={styles.fact}>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );

interface StepProps {
  readonly icon: IconName;
  readonly title: ReactNode;
  /** Beside the title. */
  readonly tools?: ReactNode;
  readonly at: string;
  /** Follows from the step before. */
  readonly isPart?: boolean;
  readonly facts?: ReactNode;
  /** Undefined: nothing is delivered of it. */
  readonly deliveries?: readonly Delivery[];
  readonly clicks?: readonly Click[] | undefined;
  /** What was searched for, among others: marked, and scrolled to. */
  readonly isFound?: boolean;
  readonly children?: ReactNode;
}

/** Something that happened, and what platforms were told of it. */
const Step = (props: StepProps) => {
  const { icon, title, tools, at, isPart = false, facts, deliveries, clicks, isFound = false, children } = props;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isFound) element.current?.scrollIntoView({ block: 'center' });
  }, [isFound]);
  return (
    <li
      ref={element}
      className={classNames(styles.step, isPart && styles.part, isFound && styles.found)}
      aria-current={isFound ? 'true' : undefined}
    >
      <span className={styles.mark}>
        <Icon name={icon} />
      </span>
      <div className={styles.content}>
        <header className={styles.head}>
          <h2>{title}</h2>
          {tools}
          <Time at={at} />
        </header>
        {facts !== undefined && <dl className={styles.facts}>{facts}</dl>}
        {children}
        {deliveries && <DeliveryLines deliveries={deliveries} {...(clicks && { clicks })} />}
      </div>
    </li>
  );
};

const Test = ({ isTest }: { readonly isTest: boolean }) => {
  const { test } = useTexts(commonTexts);
  return isTest && <Badge tone="plain">{test}</Badge>;
};

interface ConversionStepsProps {
  readonly conversion: StoryConversion;
  /** Of its client, if it has several. */
  readonly clicks: readonly Click[] | undefined;
  readonly isFound: boolean;
}

const ConversionSteps = ({ conversion, clicks, isFound }: ConversionStepsProps) => {
  const texts = useTexts(findTexts);
  const format = useFormat();
  const nameOf = useClickName();
  const counted = clicks?.find(({ leadId }) => leadId === conversion.leadId);
  const { id, externalReference, eventName, amount, total, isTest, occurredAt, createdAt, deliveries } = conversion;
  const { adjustments } = conversion;
  return (
    <>
      <Step
        icon="overview"
        title={texts.conversion(externalReference ?? String(id))}
        tools={
          <>
            <Test isTest={isTest} />
            <strong>{format.money(amount.amount, amount.currency)}</strong>
            {adjustments.length > 0 && <span>{texts.total(format.money(total.amount, total.currency))}</span>}
          </>
        }
        at={occurredAt}
        isFound={isFound}
        facts={
          <>
            <Fact title={texts.foundBy.conversion}>{String(id)}</Fact>
            <Fact title={texts.eventName}>{eventName}</Fact>
            <Fact title={texts.countsFor}>{counted !== undefined && texts.ofClick(nameOf(counted))}</Fact>
            <Fact title={texts.registered}>
              <Time at={createdAt} />
            </Fact>
          </>
        }
        deliveries={deliveries}
        clicks={clicks}
      />
      {adjustments.map((adjustment) => (
        <Step
          key={adjustment.id}
          icon="retry"
          isPart
          title={texts.kinds[adjustment.kind]}
          tools={<strong>{format.money(adjustment.amount.amount, adjustment.amount.currency)}</strong>}
          at={adjustment.occurredAt}
          facts={<Fact title={texts.reference}>{adjustment.externalReference}</Fact>}
          deliveries={adjustment.deliveries}
          clicks={clicks}
        />
      ))}
    </>
  );
};

/** With links to what each of them brought. */
const ClickList = ({ clicks }: { readonly clicks: readonly Click[] }) => {
  const texts = useTexts(findTexts);
  const account = useAccountId();
  const nameOf = useClickName();
  return (
    <ul className={styles.deliveries} aria-label={texts.allClicks}>
      {clicks.map((click) => (
        <li key={click.leadId} className={styles.delivery} data-row>
          <Link to="/a/$account/find" params={{ account }} search={{ lead: click.leadId }} data-open>
            {nameOf(click)}
          </Link>
        </li>
      ))}
    </ul>
  );
};

interface ClientStepsProps {
  readonly client: StoryClient;
  /** The conversion that was searched for. */
  readonly found: number | undefined;
}

/** The registration of a client, and its conversions with what changed them. */
const ClientSteps = ({ client, found }: ClientStepsProps) => {
  const texts = useTexts(findTexts);
  const { externalReference, name, email, phone, isTest, createdAt, deliveries, conversions } = client;
  const clicks = client.clicks.length > 1 ? client.clicks : undefined;
  return (
    <>
      <Step
        icon="person"
        title={texts.clientTitle}
        tools={<Test isTest={isTest} />}
        at={createdAt}
        facts={
          <>
            <Fact title={texts.reference}>
              {externalReference !== null && (
                <>
                  {externalReference}
                  <CopyButton text={externalReference} what={texts.reference} />
                </>
              )}
            </Fact>
            <Fact title={texts.name}>{name}</Fact>
            <Fact title={texts.email}>{email}</Fact>
            <Fact title={texts.phone}>{phone}</Fact>
          </>
        }
        {...(deliveries.length > 0 && { deliveries })}
      >
        {clicks && <ClickList clicks={clicks} />}
        {conversions.length === 0 && <p className="soft">{texts.noConversion}</p>}
        {client.hasMoreConversions && <p className="soft">{texts.moreConversions}</p>}
      </Step>
      {conversions.map((conversion) => (
        <ConversionSteps
          key={conversion.id}
          conversion={conversion}
          clicks={clicks}
          isFound={conversions.length > 1 && conversion.id === found}
        />
      ))}
    </>
  );
};

const Clicks = ({ clicks }: Pick<StoryLead, 'clicks'>) => {
  const texts = useTexts(findTexts);
  const format = useFormat();
  return clicks.map(({ name, value, clickedAt }) => (
    <Fact key={name} title={name}>
      <code>{value}</code>
      {clickedAt !== null && <small>{texts.onEarlierVisit(format.time(clickedAt))}</small>}
    </Fact>
  ));
};

/** The visit, and what the visitor left. */
const LeadSteps = ({ lead }: { readonly lead: StoryLead }) => {
  const texts = useTexts(findTexts);
  const { page, campaign, clicks, referrer, reference, name, email, phone, sharing, createdAt, isTest } = lead;
  return (
    <>
      <Step
        icon="external"
        title={texts.click}
        at={createdAt}
        facts={
          <>
            <Fact title={texts.page}>{page}</Fact>
            <Fact title={texts.cameFrom}>{referrer}</Fact>
            {campaign.map((one) => (
              <Fact key={one.name} title={one.name}>
                {one.value}
              </Fact>
            ))}
            <Clicks clicks={clicks} />
          </>
        }
      >
        {clicks.length === 0 && <p className="soft">{texts.noClick}</p>}
      </Step>
      <Step
        icon="inbox"
        title={texts.leadTitle}
        tools={<Test isTest={isTest} />}
        at={createdAt}
        facts={
          <>
            <Fact title={texts.leadReference}>
              <code>{reference}</code>
              {!reference.endsWith('…') && <CopyButton text={reference} what={texts.leadReference} />}
            </Fact>
            <Fact title={texts.sharing}>{texts.sharings[sharing]}</Fact>
            <Fact title={texts.name}>{name}</Fact>
            <Fact title={texts.email}>{email}</Fact>
            <Fact title={texts.phone}>{phone}</Fact>
          </>
        }
      />
    </>
  );
};

interface ToldProps {
  readonly story: StoryReply;
  readonly found: number | undefined;
}

const Told = ({ story: { lead, clients, otherClients }, found }: ToldProps) => {
  const texts = useTexts(findTexts);
  const format = useFormat();
  const account = useAccountId();
  return (
    <>
      <ol className={styles.story}>
        <LeadSteps lead={lead} />
        {clients.map((client) => (
          <ClientSteps key={client.id} client={client} found={found} />
        ))}
      </ol>
      {clients.length === 0 && <p className={styles.next}>{texts.noClient}</p>}
      {otherClients > 0 && (
        <p className={styles.next}>
          {texts.otherClients(format.count(otherClients))}{' '}
          <Link to="/a/$account/find" params={{ account }} search={{ lead: lead.id }}>
            {texts.ofLead}
          </Link>
        </p>
      )}
    </>
  );
};

interface StoryProps {
  readonly name: FindSearch;
  /** To the matches that this was chosen from. */
  readonly onBack: (() => void) | undefined;
}

/** From the click to what each platform was told, in the order in which it happened. */
export const Story = ({ name, onBack }: StoryProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(findTexts);
  const query = useQuery(storyQuery(useApi(), useAccountId(), name));
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    showToast(common.copied);
  };
  return (
    <Card
      title={query.data && texts.lead(query.data.lead.reference)}
      tools={
        <span className="tools">
          {onBack && (
            <Button look="quiet" icon="left" onClick={onBack}>
              {texts.backToMatches}
            </Button>
          )}
          <Button icon="copy" onClick={() => void copy()}>
            {texts.copyLink}
          </Button>
        </span>
      }
    >
      {query.data?.isMasked === true && <p className={styles.masked}>{texts.masked}</p>}
      <Loaded query={query} lines={10}>
        {(story) => <Told story={story} found={name.conversion} />}
      </Loaded>
    </Card>
  );
};
