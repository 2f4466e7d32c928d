import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ImportItem } from '../../../src/contract/imports.ts';
import { useApi, useMay } from '../../api/use-api.ts';
import styles from '../../files/style.module.css';
import { Progress } from '../../files/progress.tsx';
import { filesTexts } from '../../files/texts.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { ImportBadges, useImportName, useSenderWords } from './import-words.tsx';
import { importQuery, isOpen } from './queries.ts';
import { Result } from './result.tsx';
import { importsTexts } from './texts.ts';
import { ToldRows } from './told-rows.tsx';

const route = getRouteApi('/signed-in/a/$account/imports/$import');

const About = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const sentBy = useSenderWords();
  return (
    <>
      {texts.subjects[item.of]} · {sentBy(item.createdBy)} · <Time at={item.createdAt} look="ago" />{' '}
      <ImportBadges item={item} />
    </>
  );
};

const Open = ({ item: { state, isDryRun, done, rows } }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const files = useTexts(filesTexts);
  const format = useFormat();
  const count = [format.count(done), format.count(rows)] as const;
  const working = isDryRun ? texts.checking(...count) : texts.registering(...count);
  return (
    <Card>
      <Progress
        text={state === 'pending' ? texts.waiting : working}
        note={state === 'pending' ? texts.waitingText : files.leave}
        done={done}
        total={rows}
      />
    </Card>
  );
};

const Content = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const mayImport = useMay('import-sales');
  if (isOpen(item)) return <Open item={item} />;
  if (item.state === 'refused') {
    return (
      <Card>
        <Empty
          icon="undelivered"
          title={texts.refusedTitle}
          action={
            mayImport && (
              <Link from="/a/$account/imports/$import" to="/a/$account/imports">
                {texts.chooseAgain}
              </Link>
            )
          }
        >
          <span lang="en">{item.message}</span>
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <Result item={item} />
      <ToldRows key={item.id} item={item} />
    </>
  );
};

/** One file: what its rows would do or did, and why some were refused. */
export const ImportPage = () => {
  const texts = useTexts(importsTexts);
  const api = useApi();
  const nameOf = useImportName();
  const { account, import: id } = route.useParams();
  const query = useQuery(importQuery(api, account, id));
  return (
    <>
      <Link to="/a/$account/imports" params={{ account }} className={styles.back}>
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
