import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { FindReply, Match } from '../../../src/contract/find.ts';
import { useApi } from '../../api/use-api.ts';
import { formText } from '../../form-text.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Field } from '../../parts/field.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { MatchTable } from './match-table.tsx';
import { find } from './queries.ts';
import { type FindSearch, isNamed } from './search.ts';
import { Story } from './story.tsx';
import { findTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/find');

/** In the URL: ids alone, so that the link can be shared. */
const nameOf = ({ leadId, clientId, conversionId }: Match): FindSearch => {
  if (conversionId !== null) return { conversion: conversionId };
  return clientId === null ? { lead: leadId } : { client: clientId };
};

const Nothing = ({ text }: { readonly text: string }) => {
  const texts = useTexts(findTexts);
  return (
    <Empty icon="search" title={texts.noneTitle(text)} action={<p>{texts.noneNext}</p>}>
      {texts.none}
    </Empty>
  );
};

const Start = () => {
  const texts = useTexts(findTexts);
  return (
    <Card>
      <Empty icon="search" title={texts.startTitle}>
        {texts.start}
      </Empty>
    </Card>
  );
};

interface ResultProps {
  readonly text: string;
  readonly found: FindReply;
}

const Result = ({ text, found }: ResultProps) => (
  <Card>
    {found.matches.length === 0 ? (
      <div role="status">
        <Nothing text={text} />
      </div>
    ) : (
      <MatchTable found={found} nameOf={nameOf} />
    )}
  </Card>
);

/** What happened to one order, client or click? */
export const FindScreen = () => {
  const texts = useTexts(findTexts);
  const api = useApi();
  const { account } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const finding = useMutation({
    mutationFn: (text: string) => find(api, account, text),
    onSuccess: ({ matches }) => {
      const [first, ...others] = matches;
      void navigate({ search: first && others.length === 0 ? nameOf(first) : {} });
    },
  });
  const { data: found, variables: text = '' } = finding;
  const hasList = found !== undefined && found.matches.length > 1;
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <form
        className={styles.search}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = formText(new FormData(event.currentTarget), 'text').trim();
          if (wanted !== '') finding.mutate(wanted);
        }}
      >
        <Field
          label={texts.field}
          name="text"
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={320}
          placeholder={texts.placeholder}
          hint={texts.searched}
          data-find
          required
        />
        <Button look="primary" icon="search" type="submit" isBusy={finding.isPending}>
          {texts.submit}
        </Button>
      </form>
      {finding.error && <Failure error={finding.error} onRetry={() => finding.mutate(text)} />}
      {isNamed(search) ? (
        <Story name={search} onBack={hasList ? () => void navigate({ search: {} }) : undefined} />
      ) : (
        found && <Result text={text} found={found} />
      )}
      {!isNamed(search) && finding.isIdle && <Start />}
    </>
  );
};
