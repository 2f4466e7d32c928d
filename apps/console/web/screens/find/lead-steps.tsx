import type { StoryLead } from '../../../src/contract/find.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { Fact, Step } from './step.tsx';
import styles from './style.module.css';
import { findTexts } from './texts.ts';

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
export const LeadSteps = ({ lead }: { readonly lead: StoryLead }) => {
  const texts = useTexts(findTexts);
  const { page, campaign, clicks, referrer, reference, name, email, phone, sharing, createdAt } = lead;
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
        {clicks.length === 0 && <p className={styles.none}>{texts.noClick}</p>}
      </Step>
      <Step
        icon="inbox"
        title={texts.leadTitle}
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
