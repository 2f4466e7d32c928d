import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ImportItem } from '../../../src/contract/imports.ts';
import { Choice } from '../../files/choice.tsx';
import { FileDrop } from '../../files/file-drop.tsx';
import styles from '../../files/style.module.css';
import { filesTexts } from '../../files/texts.ts';
import { useUpload } from '../../files/use-upload.ts';
import { Card } from '../../parts/card.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { pathOf } from './queries.ts';
import { importsTexts } from './texts.ts';

/** Sends a file, and opens what its dry run finds. */
export const NewImport = () => {
  const texts = useTexts(importsTexts);
  const files = useTexts(filesTexts);
  const account = useAccountId();
  const navigate = useNavigate();
  const [of, setOf] = useState<ImportItem['of']>('conversion');
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const path = pathOf(account);
  const client = useQueryClient();
  const uploading = useUpload(({ id }) => {
    void client.invalidateQueries({ queryKey: ['imports', account] });
    void navigate({ to: '/a/$account/imports/$import', params: { account, import: String(id) } });
  });
  return (
    <Card title={texts.add}>
      <div className={styles.form}>
        <div className={styles.choices}>
          <Choice
            label={texts.content}
            value={of}
            options={[
              { value: 'conversion', label: texts.subjects.conversion },
              { value: 'client', label: texts.subjects.client },
            ]}
            onChange={setOf}
          />
          <Choice
            label={files.mode}
            value={mode}
            options={[
              { value: 'live', label: files.live },
              { value: 'test', label: files.test },
            ]}
            onChange={setMode}
          />
        </div>
        <FileDrop
          uploading={uploading}
          onFile={(file) =>
            uploading.send({ path, query: { of, test: String(mode === 'test'), name: file.name.slice(0, 255) }, file })
          }
        />
        <p className={styles.hint}>
          <span>{texts.columns[of]}</span>
          <a href={`${path}/template.csv?of=${of}`} download>
            {texts.template}
          </a>
        </p>
      </div>
    </Card>
  );
};
