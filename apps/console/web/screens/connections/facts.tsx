import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Connection } from '../../../src/contract/connections.ts';
import { classNames } from '../../parts/class-names.ts';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { ConnectionActions } from './connection-actions.tsx';
import styles from './style.module.css';
import { healthOf } from './health.ts';
import { connectionTexts } from './texts.ts';

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** Why nothing arrives now, if so; in the platform's words. */
const Trouble = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const { stateReason, remedy, retryReason, retryAt } = connection;
  const health = healthOf(connection);
  if (health === 'active') return null;
  return (
    <div className={classNames(styles.trouble, health === 'rejected' && styles.rejected)}>
      <p>{texts.healthTexts[health]}</p>
      {stateReason !== null && <q lang="en">{stateReason}</q>}
      {remedy !== null && <p lang="en">{remedy.words}</p>}
      {health === 'retrying' && retryReason !== null && <q lang="en">{retryReason}</q>}
      {retryAt !== null && (
        <p>
          {texts.nextAttempt} <Time at={retryAt} />
        </p>
      )}
    </div>
  );
};

/** How a connection does, and what can be done about it. */
export const Facts = ({ connection }: { readonly connection: Connection }) => {
  const texts = useTexts(connectionTexts);
  const format = useFormat();
  const account = useAccountId();
  const { id, deliveredAt, failedInDay, isFailedPartial, waiting, createdAt, recent } = connection;
  const all = recent.delivered + recent.failed + recent.skipped + recent.pending;
  return (
    <Card>
      <div className={styles.factsBody}>
        <Trouble connection={connection} />
        <dl className={styles.facts}>
          <Fact title={texts.columns.delivered}>
            {deliveredAt === null ? '–' : <Time at={deliveredAt} look="ago" />}
          </Fact>
          <Fact title={texts.columns.recent}>
            {all === 0 ? texts.noConversions : texts.deliveredOf(format.count(recent.delivered), format.count(all))}
          </Fact>
          <Fact title={texts.columns.failed}>
            {format.count(failedInDay)}
            {isFailedPartial && '+'}
          </Fact>
          <Fact title={texts.columns.waiting}>{format.count(waiting)}</Fact>
          <Fact title={texts.created}>
            <Time at={createdAt} />
          </Fact>
        </dl>
        <Link to="/a/$account/deliveries" params={{ account }} search={{ connection: id }}>
          {texts.seeDeliveries}
        </Link>
        <ConnectionActions connection={connection} />
      </div>
    </Card>
  );
};
