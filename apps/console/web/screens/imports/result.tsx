import { Link } from '@tanstack/react-router';
import type { ImportItem } from '../../../src/contract/imports.ts';
import { useMay } from '../../api/use-api.ts';
import styles from '../../files/style.module.css';
import { Notices } from '../../files/notices.tsx';
import { filesTexts } from '../../files/texts.ts';
import { type Tile, Tiles } from '../../files/tiles.tsx';
import { Card } from '../../parts/card.tsx';
import { platformTitles } from '../../parts/platform.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { useFormat } from '../../text/use-format.ts';
import { RegisterButton } from './register-button.tsx';
import { importsTexts } from './texts.ts';

const useTiles = ({ of, isDryRun, counts, money }: ImportItem): readonly Tile[] => {
  const { outcomes } = useTexts(importsTexts);
  const created: Tile = {
    key: 'created',
    title: isDryRun ? outcomes.toCreate : outcomes.created,
    count: counts.created,
    money,
    tone: 'good',
  };
  const refused: Tile = { key: 'refused', title: outcomes.refused, count: counts.refused, tone: 'bad' };
  return of === 'client'
    ? [created, { key: 'existing', title: outcomes.existing, count: counts.existing }, refused]
    : [
        created,
        { key: 'repeated', title: outcomes.repeated, count: counts.repeated },
        { key: 'differs', title: outcomes.differs, count: counts.differs, tone: 'warn' },
        refused,
      ];
};

const useNotices = ({ state, message, counts, tooOld, unshared, emailReferences }: ImportItem): readonly string[] => {
  const texts = useTexts(importsTexts);
  const files = useTexts(filesTexts);
  const format = useFormat();
  return [
    state === 'failed' ? (message ?? []) : [],
    tooOld.map(({ platform, rows }) => files.tooOld(format.count(rows), platformTitles[platform])),
    unshared > 0 ? texts.unshared(format.count(unshared)) : [],
    emailReferences > 0 ? texts.emailReferences(format.count(emailReferences)) : [],
    counts.differs > 0 ? texts.differs(format.count(counts.differs)) : [],
  ].flat();
};

/** Links between a dry run and the import that registered it. */
const Related = ({ item: { trialId, registeredAs } }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const account = useAccountId();
  const other = registeredAs ?? trialId;
  if (other === null) return null;
  return (
    <Link to="/a/$account/imports/$import" params={{ account, import: String(other) }}>
      {registeredAs === null ? texts.showDryRun : texts.showImport(other)}
    </Link>
  );
};

/** What the rows would do, or did, and how to register them. */
export const Result = ({ item }: { readonly item: ImportItem }) => {
  const texts = useTexts(importsTexts);
  const notices = useNotices(item);
  const tiles = useTiles(item);
  const mayRegister = useMay('import-sales');
  const { isDryRun, state, counts, registeredAs } = item;
  const canRegister = isDryRun && state === 'done' && registeredAs === null;
  return (
    <Card>
      <Tiles tiles={tiles} />
      <div className={styles.body}>
        {canRegister && <p>{counts.created > 0 ? texts.preview : texts.nothing}</p>}
        <Notices texts={notices} />
        <div className={styles.actions}>
          {canRegister && counts.created > 0 && mayRegister && <RegisterButton item={item} />}
          <Related item={item} />
        </div>
      </div>
    </Card>
  );
};
