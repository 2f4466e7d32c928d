import { supportedPlatforms } from '@leadback/domain/connection';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery } from '../../../src/contract/deliveries.ts';
import type { Match } from '../../../src/contract/find.ts';
import { useApi, useMay } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { type Chip, Chips, Field, formText, Select } from '../../parts/form.tsx';
import { ScreenHead } from '../../parts/layout.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Failure } from '../../parts/notices.tsx';
import { PagedCard } from '../../parts/pages.tsx';
import { calledAs, Platform, titleOf } from '../../parts/platform.tsx';
import { ReasonTitle, useReason } from '../../reason/reason.tsx';
import { type Column, Only, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/values.tsx';
import { type DeliveriesSearch, deliveryStates, idOf, isPlatform } from '../../search.ts';
import { textToFind } from '../../state.ts';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { find } from '../find/queries.ts';
import { referenceOf, StateBadge, useDeliveries, useDeliveryName, useRetry } from './parts.tsx';
import styles from './style.module.css';
import { deliveriesTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/deliveries');

const none: DeliveriesSearch = {
  platform: undefined,
  connection: undefined,
  state: undefined,
  code: undefined,
  conversion: undefined,
  test: undefined,
};

/** Changes filters in the URL. Another state has other reasons. */
const useFilter = (): ((changed: DeliveriesSearch) => void) => {
  const navigate = route.useNavigate();
  return (changed) =>
    void navigate({
      to: '/a/$account/deliveries',
      search: (before) => ({ ...before, ...('state' in changed ? { code: undefined } : {}), ...changed }),
    });
};

/** What the conversion that the list is narrowed to is called: as the partner calls it, once its deliveries are there. */
const useOrder = (conversion: number | undefined): string | undefined => {
  const texts = useTexts(deliveriesTexts);
  const { data } = useDeliveries();
  if (conversion === undefined) return undefined;
  const [first] = data?.pages.flatMap(({ items }) => items) ?? [];
  const reference = first?.conversionId === conversion ? first.externalReference : null;
  return reference === null ? texts.ofConversion(conversion) : texts.ofOrder(reference);
};

const useChips = (): readonly Chip[] => {
  const texts = useTexts(deliveriesTexts);
  const filter = useFilter();
  const reasonOf = useReason();
  const { platform, connection, state, code, conversion, test } = route.useSearch();
  const order = useOrder(conversion);
  const named = [
    { key: 'platform', text: platform && titleOf(platform) },
    { key: 'connection', text: connection === undefined ? undefined : texts.connection(connection) },
    { key: 'state', text: state && texts.states[state] },
    { key: 'code', text: code === undefined ? undefined : texts.reason(reasonOf(code)?.title ?? code) },
    { key: 'conversion', text: order },
    { key: 'test', text: test && texts.test },
  ];
  return named.flatMap(({ key, text }) =>
    text === undefined ? [] : [{ key, text, onRemove: () => filter({ [key]: undefined }) }],
  );
};

const Choices = () => {
  const texts = useTexts(deliveriesTexts);
  const filter = useFilter();
  const { platform, state, test } = route.useSearch();
  const any = { value: 'any', label: texts.any };
  return (
    <div className="choices">
      <Select
        label={texts.platform}
        value={platform ?? 'any'}
        options={[any, ...supportedPlatforms.map(({ name, title }) => ({ value: name, label: title }))]}
        onChange={(value) => filter({ platform: isPlatform(value) ? value : undefined })}
      />
      <Select
        label={texts.state}
        value={state ?? 'any'}
        options={[any, ...deliveryStates.map((value) => ({ value, label: texts.states[value] }))]}
        onChange={(value) => filter({ state: deliveryStates.find((one) => one === value) })}
      />
      <Select
        label={texts.mode}
        value={test ?? 'false'}
        options={[
          { value: 'false', label: texts.live },
          { value: 'true', label: texts.test },
        ]}
        onChange={(value) => filter({ test: value === 'true' ? value : undefined })}
      />
    </div>
  );
};

/** The sale that a text names, by the partner's number before ours; undefined: none, or not a single one of the mode. */
const saleOf = (matches: readonly Match[], isTest: boolean): number | undefined => {
  const sales = matches.filter((match) => match.conversionId !== null && match.isTest === isTest);
  const orders = sales.filter(({ foundBy }) => foundBy !== 'conversion');
  const [first, ...others] = orders.length > 0 ? orders : sales;
  return first && others.length === 0 ? (first.conversionId ?? undefined) : undefined;
};

/** Narrows the list to the sale that a text names. What names something else is looked for on the screen *Find*. */
const useSaleFilter = () => {
  const api = useApi();
  const account = useAccountId();
  const filter = useFilter();
  const navigate = route.useNavigate();
  const { test } = route.useSearch();
  return useMutation({
    mutationFn: (text: string) => find(api, account, text),
    onSuccess: ({ matches }, text) => {
      // an id that is none of the account leaves the list empty
      const conversion = saleOf(matches, test === 'true') ?? (matches.length === 0 ? idOf(text) : undefined);
      if (conversion !== undefined) return filter({ conversion });
      // it may be an email: not in the URL
      textToFind.set(text);
      void navigate({ to: '/a/$account/find', search: {} });
    },
  });
};

/** What is in force, as chips, and how to change it. */
const Filters = () => {
  const texts = useTexts(deliveriesTexts);
  const filter = useFilter();
  const chips = useChips();
  const narrow = useSaleFilter();
  const { conversion } = route.useSearch();
  return (
    <div className="filters">
      <form
        key={conversion}
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = formText(new FormData(event.currentTarget), 'conversion').trim();
          if (wanted === '') filter({ conversion: undefined });
          else narrow.mutate(wanted);
        }}
      >
        <Field label={texts.conversionHint} name="conversion" maxLength={320} autoComplete="off" data-find />
        {narrow.error && <Failure error={narrow.error} />}
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

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly isStale: boolean;
  /** Undefined: this person may not retry. */
  readonly selection: Selection | undefined;
}

interface Selection {
  readonly has: (id: number) => boolean;
  readonly toggle: (id: number) => void;
}

/** Why a delivery waits, in few words. */
const WaitsFor = ({ reason }: { readonly reason: string }) => {
  const known = useReason()(reason);
  return (
    <small lang={known ? undefined : 'en'} className={styles.waits} title={reason}>
      {known?.title ?? reason}
    </small>
  );
};

const useColumns = (): readonly Column<Delivery>[] => {
  const texts = useTexts(deliveriesTexts);
  const reasonOf = useReason();
  const format = useFormat();
  const filter = useFilter();
  return [
    {
      key: 'event',
      title: texts.columns.event,
      isTitle: true,
      cell: (delivery) => (
        <Link
          from="/a/$account/deliveries"
          to="/a/$account/deliveries/$delivery"
          params={({ account }) => ({ account, delivery: String(delivery.id) })}
          search={(search) => search}
          resetScroll={false}
          className="named"
          data-open
        >
          <strong>{referenceOf(delivery)}</strong>
          <small>{texts.events[delivery.event]}</small>
        </Link>
      ),
    },
    {
      key: 'platform',
      title: texts.columns.platform,
      cell: ({ platform, connectionId, isConnectionDeleted, ...named }) => (
        <span className="named">
          <Only title={texts.only(titleOf(platform))} onClick={() => filter({ platform })}>
            <Platform name={platform} />
          </Only>
          <Only title={texts.only(texts.connection(connectionId))} onClick={() => filter({ connection: connectionId })}>
            <small>
              {calledAs(named)}
              {isConnectionDeleted && ` (${texts.deleted})`}
            </small>
          </Only>
        </span>
      ),
    },
    {
      key: 'state',
      title: texts.columns.state,
      cell: ({ platform, state, connectionState, isConfirmed, code, reason }) => (
        <span className={styles.state}>
          <Only title={texts.only(texts.states[state])} onClick={() => filter({ state })}>
            <StateBadge delivery={{ state, connectionState, isConfirmed }} />
          </Only>
          {state === 'pending' && reason !== null && <WaitsFor reason={reason} />}
          {code !== null && (
            <Only title={texts.only(reasonOf(code)?.title ?? code)} onClick={() => filter({ state, code })}>
              <ReasonTitle code={code} platform={platform} />
            </Only>
          )}
        </span>
      ),
    },
    {
      key: 'amount',
      title: texts.columns.amount,
      align: 'end',
      cell: ({ amount, previousAmount }) => (
        <>
          {amount && <span className={styles.amount}>{format.money(amount.amount, amount.currency)}</span>}
          {previousAmount && (
            <small className={styles.before}>
              {texts.was(format.money(previousAmount.amount, previousAmount.currency))}
            </small>
          )}
        </>
      ),
    },
    {
      key: 'attempts',
      title: texts.columns.attempts,
      align: 'end',
      cell: ({ attempts }) => format.count(attempts),
    },
    {
      key: 'created',
      title: texts.columns.created,
      align: 'end',
      cell: ({ createdAt }) => <Time at={createdAt} look="ago" />,
    },
  ];
};

const DeliveryTable = ({ deliveries, isStale, selection }: DeliveryTableProps) => {
  const texts = useTexts(deliveriesTexts);
  const nameOf = useDeliveryName();
  const columns = useColumns();
  const open = useParams({ strict: false, select: ({ delivery }) => Number(delivery) });
  const select: readonly Column<Delivery>[] = selection
    ? [
        {
          key: 'select',
          title: texts.columns.select,
          isMark: true,
          cell: (delivery) => (
            <input
              type="checkbox"
              className={styles.select}
              aria-label={texts.select(nameOf(delivery))}
              checked={selection.has(delivery.id)}
              disabled={!delivery.canRetry}
              onChange={() => selection.toggle(delivery.id)}
            />
          ),
        },
      ]
    : [];
  return (
    <Table
      caption={texts.title}
      columns={[...select, ...columns]}
      rows={deliveries}
      keyOf={({ id }) => id}
      isCurrent={({ id }) => id === open}
      isStale={isStale}
    />
  );
};

/** As many as one request may name. */
const selectedMax = 100;

/** The chosen rows. With other filters (`scope`), none is chosen. */
const useSelection = (scope: string): readonly [readonly number[], Selection & { readonly clear: () => void }] => {
  const [chosen, setChosen] = useState<{ readonly scope: string; readonly ids: readonly number[] }>({ scope, ids: [] });
  const ids = chosen.scope === scope ? chosen.ids : [];
  const set = (next: readonly number[]) => setChosen({ scope, ids: next.slice(0, selectedMax) });
  return [
    ids,
    {
      has: (id) => ids.includes(id),
      toggle: (id) => set(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]),
      clear: () => set([]),
    },
  ];
};

/** What happened to each event? */
export const DeliveriesScreen = () => {
  const texts = useTexts(deliveriesTexts);
  const format = useFormat();
  const mayRetry = useMay('retry');
  const search = route.useSearch();
  const query = useDeliveries();
  const retry = useRetry();
  const [selected, selection] = useSelection(JSON.stringify(search));
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro} />
      <Filters />
      <PagedCard
        query={query}
        lines={10}
        empty={{
          icon: 'deliveries',
          title: texts.emptyTitle,
          children: isFiltered ? texts.emptyFiltered : texts.empty,
        }}
        end={texts.end}
        searchOlder={texts.searchOlder}
      >
        {(items) => (
          <DeliveryTable
            deliveries={items}
            isStale={query.isPlaceholderData}
            selection={mayRetry ? selection : undefined}
          />
        )}
      </PagedCard>
      {selected.length > 0 && (
        <div className={styles.bar} role="region" aria-label={texts.selected(format.count(selected.length))}>
          <strong>{texts.selected(format.count(selected.length))}</strong>
          {retry.error && <Failure error={retry.error} />}
          <Button look="quiet" onClick={selection.clear}>
            {texts.clear}
          </Button>
          <Button
            look="primary"
            icon="retry"
            isBusy={retry.isPending}
            onClick={() => retry.mutate(selected, { onSuccess: selection.clear })}
          >
            {texts.retrySelected(format.count(selected.length))}
          </Button>
        </div>
      )}
      <Outlet />
    </>
  );
};
