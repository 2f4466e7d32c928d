import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StoryReply } from '../../../src/contract/find.ts';
import { useApi } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { ClientSteps } from './client-steps.tsx';
import { LeadSteps } from './lead-steps.tsx';
import { storyQuery } from './queries.ts';
import type { FindSearch } from './search.ts';
import styles from './style.module.css';
import { findTexts } from './texts.ts';

const Told = ({ story: { lead, clients, otherClients } }: { readonly story: StoryReply }) => {
  const texts = useTexts(findTexts);
  const format = useFormat();
  const account = useAccountId();
  return (
    <>
      <ol className={styles.story}>
        <LeadSteps lead={lead} />
        {clients.map((client) => (
          <ClientSteps key={client.id} client={client} />
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
        <span className={styles.tools}>
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
        {(story) => <Told story={story} />}
      </Loaded>
    </Card>
  );
};
