import { Link } from '@tanstack/react-router';
import type { FindReply, Match } from '../../../src/contract/find.ts';
import { Badge } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { commonTexts } from '../../text/common/index.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import styles from './style.module.css';
import type { FindSearch } from './search.ts';
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
export const MatchTable = ({ found: { matches, hasMore }, nameOf }: MatchTableProps) => {
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
