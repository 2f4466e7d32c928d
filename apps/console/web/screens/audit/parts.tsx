import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AuditEntry, AuditReply } from '../../../src/contract/audit.ts';
import { type Api, useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { type Chip, Chips, Field, formText, Select } from '../../parts/form.tsx';
import { Menu } from '../../parts/menu.tsx';
import { pagesQuery } from '../../parts/pages.tsx';
import { type AuditSearch, parseAuditSearch } from '../../search.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { auditTexts } from './texts.ts';

/** An action in words; one without them as it is. */
export const useActionName = (): ((action: string) => string) => {
  const names: Readonly<Record<string, string>> = useTexts(auditTexts).actions;
  return (action) => names[action] ?? action;
};

/** `operator <user>`: at the command line. `key <id>`: through the API. */
export const useActorName = (): ((actor: string) => string) => {
  const texts = useTexts(auditTexts);
  return (actor) => {
    const [kind, ...rest] = actor.split(' ');
    const name = rest.join(' ');
    if (kind === 'operator' && name !== '') return texts.commandLine(name);
    return kind === 'key' && name !== '' ? texts.key(name) : actor;
  };
};

const auditQuery = (api: Api, account: string | undefined, search: AuditSearch) =>
  pagesQuery<AuditReply>(api, {
    key: ['audit', account, search],
    path: account === undefined ? '/api/audit' : `/api/accounts/${account}/audit`,
    query: { ...search },
  });

/** The account whose entries are shown; undefined: all. */
export const useAuditAccount = (): string | undefined => useParams({ strict: false, select: ({ account }) => account });

export const useAuditSearch = (): AuditSearch => parseAuditSearch(useSearch({ strict: false }));

export const useAudit = (): UseInfiniteQueryResult<InfiniteData<AuditReply>> =>
  useInfiniteQuery(auditQuery(useApi(), useAuditAccount(), useAuditSearch()));

/** Changes filters in the URL. */
export const useFilter = (): ((changed: AuditSearch) => void) => {
  const navigate = useNavigate();
  const account = useAuditAccount();
  const before = useAuditSearch();
  return (changed) => {
    const search = { ...before, ...changed };
    void (account === undefined
      ? navigate({ to: '/audit', search })
      : navigate({ to: '/a/$account/audit', params: { account }, search }));
  };
};

const none: AuditSearch = { actor: undefined, action: undefined, from: undefined, to: undefined };

const useChips = (): readonly Chip[] => {
  const texts = useTexts(auditTexts);
  const format = useFormat();
  const filter = useFilter();
  const actionName = useActionName();
  const actorName = useActorName();
  const { actor, action, from, to } = useAuditSearch();
  const named = [
    { key: 'actor', text: actor && texts.by(actorName(actor)) },
    { key: 'action', text: action && texts.what(actionName(action)) },
    { key: 'from', text: from && texts.since(format.dayWithYear(from)) },
    { key: 'to', text: to && texts.until(format.dayWithYear(to)) },
  ];
  return named.flatMap(({ key, text }) =>
    text === undefined ? [] : [{ key, text, onRemove: () => filter({ [key]: undefined }) }],
  );
};

const Choices = () => {
  const texts = useTexts(auditTexts);
  const filter = useFilter();
  const { action, from, to } = useAuditSearch();
  const known = Object.entries(texts.actions).map(([value, label]) => ({ value, label }));
  const others = action === undefined || action in texts.actions ? [] : [{ value: action, label: action }];
  return (
    <div className="choices">
      <Select
        label={texts.action}
        value={action ?? ''}
        options={[{ value: '', label: texts.any }, ...others, ...known]}
        onChange={(value) => filter({ action: value || undefined })}
      />
      <Field
        label={texts.from}
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(event) => filter({ from: event.target.value || undefined })}
      />
      <Field
        label={texts.to}
        type="date"
        value={to ?? ''}
        min={from}
        hint={texts.utc}
        onChange={(event) => filter({ to: event.target.value || undefined })}
      />
    </div>
  );
};

/** What is in force, as chips, and how to change it. */
export const Filters = () => {
  const texts = useTexts(auditTexts);
  const filter = useFilter();
  const chips = useChips();
  const { actor } = useAuditSearch();
  return (
    <div className="filters">
      <form
        key={actor}
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          filter({ actor: formText(new FormData(event.currentTarget), 'actor').trim() || undefined });
        }}
      >
        <Field
          label={texts.actor}
          name="actor"
          type="search"
          maxLength={320}
          placeholder={texts.actorHint}
          defaultValue={actor}
          autoComplete="off"
          data-find
        />
      </form>
      <Menu icon="filter" label={texts.filters}>
        {() => <Choices />}
      </Menu>
      <Chips chips={chips} />
      {chips.length > 1 && (
        <Button look="quiet" onClick={() => filter(none)}>
          {texts.clear}
        </Button>
      )}
    </div>
  );
};

interface LinkedProps {
  readonly noun: string;
  readonly id: string;
  /** Of the entry; undefined: it is of none. */
  readonly account: string | undefined;
  readonly words: string;
}

/** Something of an account. */
const ToScreen = ({ noun, id, account, words }: LinkedProps & { readonly account: string }) => {
  const params = { account };
  switch (noun) {
    case 'account':
      return (
        <Link to="/a/$account/overview" params={params}>
          {words}
        </Link>
      );
    case 'connection':
      return (
        <Link to="/a/$account/connections/$connection" params={{ account, connection: id }}>
          {words}
        </Link>
      );
    case 'delivery':
      return (
        <Link to="/a/$account/deliveries/$delivery" params={{ account, delivery: id }}>
          {words}
        </Link>
      );
    case 'import':
      return (
        <Link to="/a/$account/imports/$import" params={{ account, import: id }}>
          {words}
        </Link>
      );
    case 'key':
      return (
        <Link to="/a/$account/keys" params={params}>
          {words}
        </Link>
      );
    case 'page':
      return (
        <Link to="/a/$account/pages/$page" params={{ account, page: id }}>
          {words}
        </Link>
      );
    case 'reconciliation':
      return (
        <Link to="/a/$account/reconciliation/$reconciliation" params={{ account, reconciliation: id }}>
          {words}
        </Link>
      );
    case 'task':
      return (
        <Link to="/a/$account/undelivered" params={params}>
          {words}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/a/$account/webhooks/$webhook" params={{ account, webhook: id }}>
          {words}
        </Link>
      );
    default:
      return words;
  }
};

/** A link to the screen of the target, if there is one that the person may see. */
const Linked = ({ noun, id, account, words }: LinkedProps) => {
  const mayManagePeople = useMay('manage-people');
  if (noun === 'person') return mayManagePeople ? <Link to="/people">{words}</Link> : words;
  if (account === undefined) return words;
  return <ToScreen noun={noun} id={id} account={account} words={words} />;
};

/** What was acted on, `<noun> <id>`, in words. */
export const Target = ({ entry: { target, accountId } }: { readonly entry: AuditEntry }) => {
  const nouns: Readonly<Record<string, string>> = useTexts(auditTexts).targets;
  const [noun = '', id = ''] = target.split(' ');
  const words = `${nouns[noun] ?? noun} ${id}`.trim();
  return (
    <span className={styles.target}>
      <Linked noun={noun} id={id} account={accountId === null ? undefined : String(accountId)} words={words} />
    </span>
  );
};
