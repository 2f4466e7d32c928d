import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReconciliationItem } from '../../../src/contract/reconciliations.ts';
import { useApi } from '../../api/use-api.ts';
import files from '../../files/style.module.css';
import { Progress } from '../../files/progress.tsx';
import { filesTexts } from '../../files/texts.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { ListedRows } from './listed-rows.tsx';
import { Outcomes } from './outcomes.tsx';
import { isComparing, reconciliationQuery } from './queries.ts';
import { ListBadges, useListName, usePeriod } from './reconciliation-words.tsx';
import { measures } from './search.ts';
import { reconciliationTexts } from './texts.ts';

const route = getRouteApi('/signed-in/a/$account/reconciliation/$reconciliation');

const About = ({ item }: { readonly item: ReconciliationItem }) => {
  const files = useTexts(filesTexts);
  const periodOf = usePeriod();
  return (
    <>
      {periodOf(item)} · {item.createdBy === null ? files.byKey : files.by(item.createdBy)} ·{' '}
      <Time at={item.createdAt} look="ago" /> <ListBadges item={item} />
    </>
  );
};

const Content = ({ item }: { readonly item: ReconciliationItem }) => {
  const texts = useTexts(reconciliationTexts);
  const files = useTexts(filesTexts);
  const format = useFormat();
  const { outcome = measures.find((one) => item.counts[one] > 0) ?? 'matched' } = route.useSearch();
  if (isComparing(item)) {
    const text = texts.comparing(format.count(item.done), format.count(item.rows));
    return (
      <Card>
        <Progress text={text} note={files.leave} done={item.done} total={item.rows} />
      </Card>
    );
  }
  return (
    <>
      <Outcomes item={item} outcome={outcome} />
      <ListedRows item={item} outcome={outcome} />
    </>
  );
};

/** One list: what both sides have, and what only one has. */
export const ComparisonPage = () => {
  const texts = useTexts(reconciliationTexts);
  const api = useApi();
  const nameOf = useListName();
  const { account, reconciliation: id } = route.useParams();
  const query = useQuery(reconciliationQuery(api, account, id));
  return (
    <>
      <Link to="/a/$account/reconciliation" params={{ account }} className={files.back}>
        <Icon name="left" />
        {texts.title}
      </Link>
      <ScreenHead
        title={query.data ? nameOf(query.data) : texts.name(Number(id))}
        intro={query.data && <About item={query.data} />}
      />
      <Loaded query={query} lines={8}>
        {(item) => <Content item={item} />}
      </Loaded>
    </>
  );
};
