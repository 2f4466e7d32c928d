import type { ImportRecord } from '@leadback/intake';

/** An import as the commands print it. */
export const importRow = (found: ImportRecord) => {
  const { id, of, isTest, isDryRun, state, rows, done, counts, message, createdAt, finishedAt } = found;
  const tooOld = isDryRun && of === 'conversion' ? found.tooOld : null;
  return { id, of, isTest, dryRun: isDryRun, state, rows, done, counts, tooOld, message, createdAt, finishedAt };
};

const isOpen = ({ state }: ImportRecord) => state === 'uploading' || state === 'pending' || state === 'running';

/** What to do after an import, or while it is open. */
export const nextStep = (found: ImportRecord): string | null => {
  const { id, state, counts, isDryRun } = found;
  if (isOpen(found)) return `An api registers the rows in the background. Run "import show ${id}".`;
  if (state === 'refused') return 'Nothing was registered. Correct the file and import it again.';
  if (state === 'failed') {
    return `Give the log of the apis to the developers. Run "import show ${id} --result result.csv", and import that file: rows with an outcome are not registered twice.`;
  }
  const isLeft = (counts['refused'] ?? 0) + (counts['differs'] ?? 0) > 0;
  if (isLeft) {
    return `Run "import show ${id} --result result.csv", correct the rows that were refused or differ, and import that file.`;
  }
  return isDryRun ? 'Nothing was registered. Import the file without --dry-run.' : null;
};
