import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { FindReply, Match } from '../../../src/contract/find.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Field, formText } from '../../parts/form.tsx';
import { Card, ScreenHead } from '../../parts/layout.tsx';
import { Empty, Failure } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { type FindSearch, isNamed } from '../../search.ts';
import { textToFind, useStore } from '../../state.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { find } from './queries.ts';
import { Story } from './story.tsx';
import styles from './style.module.css';
import { findTexts } from './texts.ts';

interface MatchTableProps {
  readonly found: FindReply;
  readonly nameOf: (match: Match) => FindSearch;
}

/** `Conversion order-1001`, by the partner's id if there is one. */
const useTitle = (): ((match: Match) => string) => {
  const texts = useTexts(findTexts);
  return ({ conversionId, conversionReference, clientId, clientReference, leadReference }) => {
    if (conversionId !== null) return texts.conversion(conversionReference ?? String(conversionId));
    return clientId === null ? texts.lead(leadReference) : texts.client(clientReference ?? String(clientId));
  };
};

/** Several have this name: a person chooses. */
const MatchTable = ({ found: { matches, hasMore }, nameOf }: MatchTableProps) => {
  const common = useTexts(commonTexts);
  const texts = useTexts(findTexts);
  const format = useFormat();
  const account = useAccountId();
  const titleOf = useTitle();
  const count = texts.matches(format.count(matches.length));
  const columns: readonly Column<Match>[] = [
    {
      key: 'what',
      title: texts.columns.what,
      isTitle: true,
      cell: (match) => (
        <span className={styles.match}>
          <Link to="/a/$account/find" params={{ account }} search={nameOf(match)} data-open>
            {titleOf(match)}
          </Link>
          {match.isTest && <Badge tone="plain">{common.test}</Badge>}
          {match.amount && <span>{format.money(match.amount.amount, match.amount.currency)}</span>}
        </span>
      ),
    },
    { key: 'foundBy', title: texts.columns.foundBy, cell: ({ foundBy }) => texts.foundBy[foundBy] },
    {
      key: 'person',
      title: texts.columns.person,
      cell: ({ name, email }) => [name, email].filter((text) => text !== null).join(' · '),
    },
    { key: 'page', title: texts.columns.page, cell: ({ page }) => page },
    { key: 'at', title: texts.columns.at, align: 'end', cell: ({ at }) => <Time at={at} look="ago" /> },
  ];
  return (
    <>
      <p className={styles.count} role="status">
        {count}
      </p>
      <Table
        caption={count}
        columns={columns}
        rows={matches}
        keyOf={({ leadId, clientId, conversionId }) => `${leadId} ${clientId} ${conversionId}`}
      />
      {hasMore && <p className={styles.note}>{texts.moreMatches}</p>}
    </>
  );
};

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
  const { data: found, variables: text = '', mutate } = finding;
  const handedOver = useStore(textToFind);
  useEffect(() => {
    if (handedOver === undefined) return;
    textToFind.set(undefined);
    mutate(handedOver);
  }, [handedOver, mutate]);
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
          key={text}
          label={texts.field}
          name="text"
          defaultValue={text}
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
