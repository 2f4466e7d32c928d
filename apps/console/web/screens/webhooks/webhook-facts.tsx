import type { ReactNode } from 'react';
import type { Webhook } from '../../../src/contract/webhooks.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../text/language.tsx';
import { webhooksTexts } from './texts.ts';
import { WebhookState } from './webhook-state.tsx';
import styles from './style.module.css';

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

export const WebhookFacts = ({ webhook }: { readonly webhook: Webhook }) => {
  const texts = useTexts(webhooksTexts);
  const { url, events, isTest, createdAt, lastAcceptedAt } = webhook;
  return (
    <Card>
      <dl className={styles.facts}>
        <Fact title={texts.columns.state}>
          <WebhookState webhook={webhook} />
        </Fact>
        <Fact title={texts.mode}>{isTest ? texts.testMode : texts.liveMode}</Fact>
        <Fact title={texts.columns.accepted}>
          {lastAcceptedAt === null ? texts.never : <Time at={lastAcceptedAt} look="ago" />}
        </Fact>
        <Fact title={texts.columns.created}>
          <Time at={createdAt} />
        </Fact>
        <Fact title={texts.url}>
          <span className={styles.copied}>
            <code>{url}</code>
            <CopyButton text={url} what={texts.url} />
          </span>
        </Fact>
        <Fact title={texts.events}>
          <ul className={styles.badges}>
            {events.map((event) => (
              <li key={event} title={texts.topics[event]}>
                <Badge tone="plain">{event}</Badge>
              </li>
            ))}
          </ul>
        </Fact>
      </dl>
    </Card>
  );
};
