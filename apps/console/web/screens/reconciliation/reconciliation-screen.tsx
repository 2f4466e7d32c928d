import { useMay } from '../../api/use-api.ts';
import { ScreenHead } from '../../shell/screen-head.tsx';
import { useTexts } from '../../text/language.tsx';
import { NewList } from './new-list.tsx';
import { ReconciliationList } from './reconciliation-list.tsx';
import { reconciliationTexts } from './texts.ts';

/** Do both sides have the same sales? */
export const ReconciliationScreen = () => {
  const texts = useTexts(reconciliationTexts);
  const mayCompare = useMay('import-sales');
  return (
    <>
      <ScreenHead title={texts.title} intro={mayCompare ? texts.intro : texts.mayNot} />
      {mayCompare && <NewList />}
      <ReconciliationList />
    </>
  );
};
