import type { StoryClient, StoryConversion } from '../../../src/contract/find.ts';
import { Badge } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Time } from '../../parts/time.tsx';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { Fact, Step } from './step.tsx';
import styles from './style.module.css';
import { findTexts } from './texts.ts';

const Test = ({ isTest }: { readonly isTest: boolean }) => {
  const { test } = useTexts(commonTexts);
  return isTest && <Badge tone="plain">{test}</Badge>;
};

const ConversionSteps = ({ conversion }: { readonly conversion: StoryConversion }) => {
  const texts = useTexts(findTexts);
  const format = useFormat();
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
        facts={
          <>
            <Fact title={texts.foundBy.conversion}>{String(id)}</Fact>
            <Fact title={texts.eventName}>{eventName}</Fact>
            <Fact title={texts.registered}>
              <Time at={createdAt} />
            </Fact>
          </>
        }
        deliveries={deliveries}
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
        />
      ))}
    </>
  );
};

/** The registration of a client, and its conversions with what changed them. */
export const ClientSteps = ({ client }: { readonly client: StoryClient }) => {
  const texts = useTexts(findTexts);
  const { externalReference, name, email, phone, isTest, createdAt, deliveries, conversions } = client;
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
        {conversions.length === 0 && <p className={styles.none}>{texts.noConversion}</p>}
        {client.hasMoreConversions && <p className={styles.none}>{texts.moreConversions}</p>}
      </Step>
      {conversions.map((conversion) => (
        <ConversionSteps key={conversion.id} conversion={conversion} />
      ))}
    </>
  );
};
