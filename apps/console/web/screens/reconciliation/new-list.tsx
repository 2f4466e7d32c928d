import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Choice } from '../../files/choice.tsx';
import { FileDrop } from '../../files/file-drop.tsx';
import files from '../../files/style.module.css';
import { filesTexts } from '../../files/texts.ts';
import { useUpload } from '../../files/use-upload.ts';
import { Card } from '../../parts/card.tsx';
import { daysOf, type RangeSearch } from '../../range/presets.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useTexts } from '../../text/language.tsx';
import { pathOf } from './queries.ts';
import { reconciliationTexts } from './texts.ts';

/** Sends the advertiser's list of a period, and opens the comparison. */
export const NewList = () => {
  const texts = useTexts(reconciliationTexts);
  const fileTexts = useTexts(filesTexts);
  const account = useAccountId();
  const navigate = useNavigate();
  const [range, setRange] = useState<RangeSearch>({ range: 'last-month' });
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const client = useQueryClient();
  const uploading = useUpload(({ id }) => {
    void client.invalidateQueries({ queryKey: ['reconciliations', account] });
    void navigate({
      to: '/a/$account/reconciliation/$reconciliation',
      params: { account, reconciliation: String(id) },
    });
  });
  const send = (file: File) => {
    const query = { ...daysOf(range), test: String(mode === 'test'), name: file.name.slice(0, 255) };
    uploading.send({ path: pathOf(account), query, file });
  };
  return (
    <Card title={texts.add}>
      <div className={files.form}>
        <div className={files.choices}>
          <div className={files.labelled}>
            <span>{texts.period}</span>
            <RangePicker value={range} onChange={setRange} />
          </div>
          <Choice
            label={fileTexts.mode}
            value={mode}
            options={[
              { value: 'live', label: fileTexts.live },
              { value: 'test', label: fileTexts.test },
            ]}
            onChange={setMode}
          />
        </div>
        <FileDrop uploading={uploading} onFile={send} />
        <p className={files.hint}>{texts.columns}</p>
      </div>
    </Card>
  );
};
