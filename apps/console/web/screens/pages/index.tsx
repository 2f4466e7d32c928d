import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { ListedPage, PageProblem } from '../../../src/contract/pages.ts';
import { useApi, useMay } from '../../api.ts';
import { Notices } from '../../files/parts.tsx';
import { Button, Icon } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Field, formText, Switch } from '../../parts/form.tsx';
import { backLook, Card, Loaded, ScreenHead, Skeleton } from '../../parts/layout.tsx';
import { Empty, Failure, showToast } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import { clicksTexts } from './clicks-texts.ts';
import { createPage, pagesQuery, useSwitch } from './queries.ts';
import { asSlug } from './slug.ts';
import styles from './style.module.css';
import { pagesTexts } from './texts.ts';
import { type Way, Ways, ways } from './ways.tsx';

interface NewPageDialogProps {
  readonly baseUrl: string;
  readonly onClose: () => void;
}

/** Asks for what a page cannot be without, creates it, and opens its editor. */
const NewPageDialog = ({ baseUrl, onClose }: NewPageDialogProps) => {
  const texts = useTexts(pagesTexts);
  const { language } = useLanguage();
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const account = useAccountId();
  const [slug, setSlug] = useState('');
  const create = useMutation({
    mutationFn: (form: FormData) =>
      createPage(api, account, { slug, targetUrl: formText(form, 'targetUrl'), language }),
    onSuccess: async (reply) => {
      if (reply.outcome !== 'created') return;
      showToast(texts.created(reply.page.slug));
      await client.invalidateQueries({ queryKey: ['pages'] });
      await navigate({ to: '/a/$account/pages/$page', params: { account, page: String(reply.page.id) } });
    },
  });
  const { data } = create;
  const problemOf = (field: PageProblem) => {
    if (field === 'slug' && data?.outcome === 'slug-taken') return texts.slugTaken;
    return data?.outcome === 'invalid' && data.problems.includes(field) ? texts.problems[field] : undefined;
  };
  return (
    <FormDialog
      title={texts.newPage}
      action={texts.create}
      isBusy={create.isPending}
      error={create.error}
      noValidate
      onSubmit={(form) => create.mutate(form)}
      onClose={onClose}
    >
      <p>{texts.newPageIntro}</p>
      <Field
        label={texts.slug}
        name="slug"
        value={slug}
        maxLength={64}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={texts.slugHint(baseUrl + (slug || '…'))}
        problem={problemOf('slug')}
        onChange={(event) => setSlug(asSlug(event.target.value))}
        data-focus
      />
      <Field
        label={texts.fields.targetUrl}
        name="targetUrl"
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        hint={texts.hints.targetUrl}
        problem={problemOf('targetUrl')}
      />
    </FormDialog>
  );
};

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

const PageTable = ({ pages }: { readonly pages: readonly ListedPage[] }) => {
  const texts = useTexts(pagesTexts);
  const format = useFormat();
  const account = useAccountId();
  const mayEdit = useMay('edit-pages');
  const change = useSwitch();
  const columns: readonly Column<ListedPage>[] = [
    {
      key: 'page',
      title: texts.columns.page,
      isTitle: true,
      cell: ({ id, slug, title, mode, isOfServer }) => (
        <div className={styles.name}>
          <Link to="/a/$account/pages/$page" params={{ account, page: String(id) }} data-open>
            {slug}
          </Link>
          {mode === 'page' ? (
            title !== null && <span>{title}</span>
          ) : (
            <Badge tone="plain">{isOfServer ? texts.server : mode === 'direct' ? texts.direct : texts.script}</Badge>
          )}
        </div>
      ),
    },
    {
      key: 'url',
      title: texts.columns.url,
      cell: ({ url, targetUrl, mode, isOn, isOfServer }) =>
        isOfServer ? null : mode === 'script' ? (
          <div className={styles.url}>{withoutScheme(targetUrl)}</div>
        ) : (
          <div className={styles.url}>
            {isOn ? (
              <a href={url} target="_blank" rel="noreferrer">
                {withoutScheme(url)}
              </a>
            ) : (
              <span>{withoutScheme(url)}</span>
            )}
            <CopyButton text={url} what={url} />
          </div>
        ),
    },
    {
      key: 'isOn',
      title: texts.columns.isOn,
      cell: ({ id, slug, isOn, isOfServer }) =>
        isOfServer ? null : (
          <Switch
            isOn={isOn}
            name={texts.isOn(slug)}
            disabled={!mayEdit}
            isBusy={change.isPending && change.variables.id === id}
            onChange={(wanted) => change.mutate({ id, slug, isOn: wanted })}
          />
        ),
    },
    { key: 'leads', title: texts.columns.leads, align: 'end', cell: ({ leads }) => format.count(leads) },
    {
      key: 'changed',
      title: texts.columns.changed,
      align: 'end',
      cell: ({ changedAt }) => <Time at={changedAt} look="ago" />,
    },
  ];
  return (
    <>
      {change.error && <Failure error={change.error} />}
      <Table caption={texts.title} columns={columns} rows={pages} keyOf={({ id }) => id} />
    </>
  );
};

const route = getRouteApi('/signed-in/a/$account/pages');

const matching = (pages: readonly ListedPage[], find: string): readonly ListedPage[] => {
  const wanted = find.trim().toLowerCase();
  return pages.filter(({ slug, title, targetUrl }) =>
    [slug, title ?? '', targetUrl].some((text) => text.toLowerCase().includes(wanted)),
  );
};

const NewScript = lazy(async () => ({ default: (await import('./script-page.tsx')).NewScript }));
const ServerWay = lazy(async () => ({ default: (await import('./server-way.tsx')).ServerWay }));
const DomainsWay = lazy(async () => ({ default: (await import('./domains-way.tsx')).DomainsWay }));

interface WayScreenProps {
  readonly way: Exclude<Way, 'new'>;
  readonly apiUrl: string | null;
}

/** How one of the ways is set up. */
const WayScreen = ({ way, apiUrl }: WayScreenProps) => {
  const { all } = useTexts(pagesTexts);
  const texts = useTexts(clicksTexts);
  const account = useAccountId();
  const mayEdit = useMay('edit-pages');
  const { title, intro } = texts[way];
  return (
    <>
      <Link className={backLook} to="/a/$account/pages" params={{ account }}>
        <Icon name="left" />
        {all}
      </Link>
      <ScreenHead title={title} intro={mayEdit ? intro : texts.mayNot} />
      <Suspense fallback={<Skeleton />}>
        {way === 'script' && mayEdit && <NewScript />}
        {way === 'server' && <ServerWay apiUrl={apiUrl} />}
        {way === 'domains' && <DomainsWay />}
      </Suspense>
    </>
  );
};

/** What do visitors see? */
const PageList = ({ isCreating }: { readonly isCreating: boolean }) => {
  const texts = useTexts(pagesTexts);
  const format = useFormat();
  const navigate = route.useNavigate();
  const mayEdit = useMay('edit-pages');
  const query = useQuery(pagesQuery(useApi(), useAccountId()));
  const { find: initial = '' } = route.useSearch();
  // the URL follows: a value that comes back from it would be late
  const [find, setFind] = useState(initial);
  const setCreating = (isIt: boolean) =>
    void navigate({ search: (before) => before, hash: isIt ? 'new' : '', replace: true, resetScroll: false });
  const create = mayEdit && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.newPage}
    </Button>
  );
  const search = (text: string) => {
    setFind(text);
    void navigate({ search: { find: text || undefined }, replace: true });
  };
  return (
    <>
      <ScreenHead title={texts.title} intro={texts.intro}>
        {query.data !== undefined && query.data.items.length > 0 && create}
      </ScreenHead>
      {query.data !== undefined && query.data.items.length > 1 && (
        <div className={styles.find}>
          <Field
            label={texts.find}
            type="search"
            value={find}
            onChange={(event) => search(event.target.value)}
            data-find
          />
        </div>
      )}
      <Notices
        texts={(query.data?.items ?? []).flatMap(({ slug, targetUrl, targetChange }) =>
          targetChange === null
            ? []
            : [
                texts.targetChanged(
                  slug,
                  targetChange.hostBefore,
                  new URL(targetUrl).host,
                  format.day(targetChange.at.slice(0, 10)),
                ),
              ],
        )}
      />
      <Card>
        <Loaded query={query} lines={6}>
          {({ items, hasMore }) => {
            if (items.length === 0) {
              return (
                <Empty icon="pages" title={texts.emptyTitle} action={create}>
                  {texts.empty}
                </Empty>
              );
            }
            const found = matching(items, find);
            return (
              <>
                {found.length === 0 ? <p className={styles.note}>{texts.noneFound}</p> : <PageTable pages={found} />}
                {hasMore && <p className={styles.note}>{texts.hasMore(format.count(items.length))}</p>}
              </>
            );
          }}
        </Loaded>
      </Card>
      {mayEdit && <Ways />}
      {isCreating && mayEdit && (
        <NewPageDialog baseUrl={query.data?.baseUrl ?? ''} onClose={() => setCreating(false)} />
      )}
    </>
  );
};

/** The list of pages, or how one of the ways is set up on which clicks arrive. */
export const PagesScreen = () => {
  const account = useAccountId();
  const way = useLocation({ select: ({ hash }) => ways.find((one) => one === hash) });
  const { data } = useQuery({ ...pagesQuery(useApi(), account), enabled: way === 'server' });
  if (way === undefined || way === 'new') return <PageList isCreating={way === 'new'} />;
  return <WayScreen key={way} way={way} apiUrl={data?.apiUrl ?? null} />;
};
