import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { useMay } from '../../api.ts';
import { ScreenHead } from '../../parts/layout.tsx';
import { PagedCard } from '../../parts/pages.tsx';
import { type Column, Only, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';
import { useFrameAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import {
  Filters,
  Target,
  useActionName,
  useActorName,
  useAudit,
  useAuditAccount,
  useAuditSearch,
  useFilter,
} from './parts.tsx';
import styles from './style.module.css';
import { auditTexts } from './texts.ts';

/** Chooses between the entries of the account and of all; the filters stay. */
const AuditScope = () => {
  const texts = useTexts(auditTexts);
  const account = useFrameAccountId();
  return (
    <div className={styles.scope} role="group" aria-label={texts.scope}>
      {account !== undefined && (
        <Link
          to="/a/$account/audit"
          params={{ account }}
          search={(search) => search}
          activeOptions={{ includeSearch: false }}
        >
          {texts.ofAccount}
        </Link>
      )}
      <Link to="/audit" search={(search) => search} activeOptions={{ includeSearch: false }}>
        {texts.ofAll}
      </Link>
    </div>
  );
};

interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value;

const useWords = (): ((value: unknown) => string) => {
  const texts = useTexts(auditTexts);
  const words = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return texts.nothing;
    if (typeof value === 'boolean') return value ? texts.yes : texts.no;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (Array.isArray(value)) return value.length === 0 ? texts.nothing : value.map(words).join(', ');
    return JSON.stringify(value);
  };
  return words;
};

const Value = ({ value }: { readonly value: unknown }) => {
  const texts = useTexts(auditTexts);
  const words = useWords();
  if (!isChange(value)) return words(value);
  return (
    <>
      <span className="visually-hidden">{texts.before} </span>
      <del>{words(value.before)}</del> → <span className="visually-hidden">{texts.after} </span>
      <ins>{words(value.after)}</ins>
    </>
  );
};

/** The facts of an entry; of a field that changed, what it was and what it is. */
const Details = ({ details }: { readonly details: Readonly<Record<string, unknown>> }) => {
  const fields: Readonly<Record<string, string>> = useTexts(auditTexts).fields;
  const facts = Object.entries(details);
  if (facts.length === 0) return null;
  return (
    <dl className={styles.details}>
      {facts.map(([field, value]) => (
        <div key={field}>
          <dt>{fields[field] ?? field}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  readonly isStale: boolean;
}

const AuditTable = ({ entries, isStale }: AuditTableProps) => {
  const texts = useTexts(auditTexts);
  const filter = useFilter();
  const actionName = useActionName();
  const actorName = useActorName();
  const isOfAll = useAuditAccount() === undefined;
  const columns: readonly Column<AuditEntry>[] = [
    {
      key: 'action',
      title: texts.columns.action,
      isTitle: true,
      cell: (entry) => (
        <span className={styles.what}>
          <Only title={texts.only(actionName(entry.action))} onClick={() => filter({ action: entry.action })} data-open>
            {actionName(entry.action)}
          </Only>
          <Target entry={entry} />
        </span>
      ),
    },
    {
      key: 'actor',
      title: texts.columns.actor,
      cell: ({ actor }) => (
        <Only title={texts.only(actorName(actor))} onClick={() => filter({ actor })}>
          {actorName(actor)}
        </Only>
      ),
    },
    { key: 'details', title: texts.columns.details, cell: ({ details }) => <Details details={details} /> },
    { key: 'at', title: texts.columns.at, align: 'end', cell: ({ at }) => <Time at={at} /> },
  ];
  const account: Column<AuditEntry> = {
    key: 'account',
    title: texts.columns.account,
    cell: ({ accountName, accountId }) => accountName ?? (accountId === null ? '–' : `#${accountId}`),
  };
  return (
    <Table
      caption={texts.title}
      columns={isOfAll ? columns.toSpliced(2, 0, account) : columns}
      rows={entries}
      keyOf={({ id }) => id}
      isStale={isStale}
    />
  );
};

/** Who did what? */
export const AuditScreen = () => {
  const texts = useTexts(auditTexts);
  const seesAll = useMay('manage-accounts');
  const search = useAuditSearch();
  const query = useAudit();
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {seesAll && <AuditScope />}
      </ScreenHead>
      <Filters />
      <PagedCard
        query={query}
        lines={10}
        empty={{ icon: 'audit', title: texts.emptyTitle, children: isFiltered ? texts.emptyFiltered : texts.empty }}
        end={texts.end}
        searchOlder={texts.searchOlder}
      >
        {(entries) => <AuditTable entries={entries} isStale={query.isPlaceholderData} />}
      </PagedCard>
    </>
  );
};
