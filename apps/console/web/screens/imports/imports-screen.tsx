import { ScreenHead } from '../../shell/screen-head.tsx';
import { useMay } from '../../api/use-api.ts';
import { useTexts } from '../../text/language.tsx';
import { ImportList } from './import-list.tsx';
import { NewImport } from './new-import.tsx';
import { importsTexts } from './texts.ts';

/** Register clients and sales from a file. */
export const ImportsScreen = () => {
  const texts = useTexts(importsTexts);
  const mayImport = useMay('import-sales');
  return (
    <>
      <ScreenHead title={texts.title} intro={mayImport ? texts.intro : texts.mayNot} />
      {mayImport && <NewImport />}
      <ImportList />
    </>
  );
};
