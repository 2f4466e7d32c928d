import { useQuery } from '@tanstack/react-query';
import { currencies } from '@leadback/domain/currency';
import { useState } from 'react';
import type { FileChoices, ImportItem, ImportPreview } from '../../../src/contract/imports.ts';
import { useApi } from '../../api.ts';
import { Choice, Notices } from '../../files/parts.tsx';
import styles from '../../files/style.module.css';
import { upload } from '../../files/transfer.ts';
import { Button } from '../../parts/button.tsx';
import { Skeleton } from '../../parts/layout.tsx';
import { Field, Select } from '../../parts/form.tsx';
import { Failure } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Refused } from '../../reason/refused.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { useAccountId } from '../../shell/use-account.ts';
import { useFormat, useTexts } from '../../text/language.tsx';
import { pathOf } from './parts.tsx';
import { previewTexts } from './preview-texts.ts';

interface PreviewProps {
  readonly of: ImportItem['of'];
  readonly file: File;
  readonly isSending: boolean;
  readonly onSend: (query: { readonly choices?: string }) => void;
  readonly onClose: () => void;
}

type Choose = (choices: FileChoices) => void;

interface Found {
  readonly found: ImportPreview;
  readonly onChoose: Choose;
}

const useFieldName = (): ((field: string) => string) => {
  const { fields } = useTexts(previewTexts);
  return (field) => fields[field] ?? field;
};

/** What was found, in a sentence. */
const Summary = ({ found }: Pick<Found, 'found'>) => {
  const texts = useTexts(previewTexts);
  const format = useFormat();
  const { encoding, delimiter, sheet, headerLine, rows, notPaid, decimalMark, dateOrder, timeZone, currency } = found;
  const parts = [
    texts.rows(format.count(rows)),
    notPaid > 0 ? texts.notPaid(format.count(notPaid)) : [],
    found.export === null ? [] : texts.exportOf(texts.exports[found.export] ?? found.export),
    encoding?.toUpperCase() ?? [],
    delimiter === null ? [] : texts.delimiters[delimiter],
    sheet === null ? [] : texts.ofSheet(sheet),
    texts.header(format.count(headerLine)),
    decimalMark === null ? [] : texts.amountsAs(texts.marks[decimalMark]),
    dateOrder === null ? [] : texts.orders[dateOrder],
    timeZone ?? [],
    currency ?? [],
  ].flat();
  return (
    <p role="status">
      {parts.join(' · ')} {found.isRemembered && <Badge tone="accent">{texts.remembered}</Badge>}
    </p>
  );
};

const zones = () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface SelectOneProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string | null;
  readonly first: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}

/** One of many; the likeliest is the first. */
const SelectOne = ({ label, hint, value, first, values, onChange }: SelectOneProps) => {
  const texts = useTexts(previewTexts);
  const all = [...new Set([first, value ?? first, ...values])];
  const open = value === null ? [{ value: '', label: texts.choose }] : [];
  return (
    <Select
      label={label}
      hint={hint}
      value={value ?? ''}
      options={[...open, ...all.map((one) => ({ value: one, label: one }))]}
      onChange={onChange}
    />
  );
};

const MarkChoice = ({ found: { decimalMark }, onChoose }: Found) => {
  const texts = useTexts(previewTexts);
  return (
    <Choice<'' | '.' | ','>
      label={texts.decimalMark}
      value={decimalMark ?? ''}
      options={[
        { value: ',', label: texts.marks[','] },
        { value: '.', label: texts.marks['.'] },
      ]}
      onChange={(mark) => mark !== '' && onChoose({ decimalMark: mark })}
    />
  );
};

const OrderChoice = ({ found: { dateOrder }, onChoose }: Found) => {
  const texts = useTexts(previewTexts);
  return (
    <Choice<'' | 'dmy' | 'mdy'>
      label={texts.dateOrder}
      value={dateOrder ?? ''}
      options={[
        { value: 'dmy', label: texts.orders.dmy },
        { value: 'mdy', label: texts.orders.mdy },
      ]}
      onChange={(order) => order !== '' && onChoose({ dateOrder: order })}
    />
  );
};

const ZoneChoice = ({ found: { timeZone, proposed }, onChoose }: Found) => {
  const texts = useTexts(previewTexts);
  return (
    <SelectOne
      label={texts.timeZone}
      hint={texts.timeZoneHint}
      value={timeZone}
      first={proposed.timeZone}
      values={zones()}
      onChange={(zone) => onChoose({ timeZone: zone })}
    />
  );
};

const CurrencyChoice = ({ found: { currency, proposed }, onChoose }: Found) => {
  const texts = useTexts(previewTexts);
  return (
    <SelectOne
      label={texts.currency}
      value={currency}
      first={proposed.currency}
      values={currencies}
      onChange={(code) => onChoose({ currency: code })}
    />
  );
};

/** What of the file is a question, and what can be corrected; each in its own place. */
const partsOf = ({ questions, missing, columns, currency }: ImportPreview) => {
  const has = (field: string) => columns.some((column) => column.field === field);
  const asksCurrency = missing.includes('currency');
  return [
    { Part: MarkChoice, isAsked: questions.includes('decimalMark'), applies: has('amount') },
    { Part: OrderChoice, isAsked: questions.includes('dateOrder'), applies: has('occurredAt') },
    { Part: ZoneChoice, isAsked: questions.includes('timeZone'), applies: has('occurredAt') },
    { Part: CurrencyChoice, isAsked: asksCurrency, applies: currency !== null && !has('currency') },
  ].map((one, key) => ({ ...one, key }));
};

/** What has two meanings, or is in no column. */
const Questions = (about: Found) => {
  const texts = useTexts(previewTexts);
  const nameOf = useFieldName();
  const { found } = about;
  // either of the two finds the client
  const either = ['clientExternalReference', 'email'].filter((field) => found.missing.includes(field));
  const others = found.missing.filter((field) => !either.includes(field) && field !== 'currency').map(nameOf);
  const lacks = [...others, ...(either.length > 1 ? [either.map(nameOf).join(texts.or)] : either.map(nameOf))];
  const asked = partsOf(found).filter(({ isAsked }) => isAsked);
  return (
    <>
      <Notices
        texts={[
          lacks.length > 0 ? texts.missing(lacks.join(', ')) : [],
          asked.length > 0 ? texts.questions : [],
        ].flat()}
      />
      {asked.length > 0 && (
        <div className={styles.choices}>
          {asked.map(({ Part, key }) => (
            <Part key={key} {...about} />
          ))}
        </div>
      )}
    </>
  );
};

type FileColumn = ImportPreview['columns'][number];

/** Columns by what they are called, and what each is read as. */
const Columns = ({ found, onChoose, columns }: Found & { readonly columns: readonly FileColumn[] }) => {
  const texts = useTexts(previewTexts);
  const nameOf = useFieldName();
  const options = [
    { value: '', label: texts.notRead },
    ...found.fields.map((field) => ({ value: field, label: nameOf(field) })),
  ];
  return (
    <div className={styles.grid}>
      {columns.map(({ name, field }, index) => (
        <Select
          // two columns may have one name
          key={`${name} ${index}`}
          label={name === '' ? texts.noName : name}
          value={field ?? ''}
          options={options}
          onChange={(chosen) => onChoose({ columns: { [name]: chosen === '' ? null : chosen } })}
        />
      ))}
    </div>
  );
};

const delimiters: readonly NonNullable<ImportPreview['delimiter']>[] = [',', ';', '\t', '|'];
const encodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'];

/** All that can be corrected of a file whose columns are known. */
const Corrections = (about: Found) => {
  const texts = useTexts(previewTexts);
  const format = useFormat();
  const { found, onChoose } = about;
  const unread = found.columns.filter(({ field }) => field === null);
  const read = found.columns.filter(({ field }) => field !== null);
  const isIncomplete = found.missing.some((field) => field !== 'currency');
  const { delimiter, encoding, sheet, sheets, headerLine } = found;
  return (
    <>
      {sheet !== null && sheets.length > 1 && (
        <Select
          label={texts.sheet}
          value={sheet}
          options={sheets.map((value) => ({ value, label: value }))}
          onChange={(value) => onChoose({ sheet: value })}
        />
      )}
      <h3>{texts.columns}</h3>
      <Columns {...about} columns={read} />
      {unread.length > 0 && (
        <details className={styles.more} open={isIncomplete}>
          <summary>{texts.unread(format.count(unread.length))}</summary>
          <Columns {...about} columns={unread} />
        </details>
      )}
      <details className={styles.more}>
        <summary>{texts.more}</summary>
        <div className={styles.grid}>
          {delimiter !== null && (
            <Select
              label={texts.delimiter}
              value={delimiter}
              options={delimiters.map((value) => ({ value, label: texts.delimiters[value] }))}
              onChange={(value) => onChoose({ delimiter: value })}
            />
          )}
          {encoding !== null && (
            <Select
              label={texts.encoding}
              value={encoding}
              options={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
              onChange={(value) => onChoose({ encoding: value })}
            />
          )}
          <Field
            key={headerLine}
            label={texts.headerLine}
            type="number"
            min={1}
            max={40}
            defaultValue={headerLine}
            onBlur={({ target: { valueAsNumber: line, validity } }) => {
              if (validity.valid && Number.isInteger(line) && line !== headerLine) onChoose({ headerLine: line });
            }}
          />
          {partsOf(found)
            .filter(({ isAsked, applies }) => applies && !isAsked)
            .map(({ Part, key }) => (
              <Part key={key} {...about} />
            ))}
        </div>
      </details>
    </>
  );
};

type Sample = ImportPreview['samples'][number];

const Samples = ({ found, isStale }: Pick<Found, 'found'> & { readonly isStale: boolean }) => {
  const texts = useTexts(previewTexts);
  const format = useFormat();
  const nameOf = useFieldName();
  const shown = ({ fields }: Sample, field: string) => {
    const value = fields[field];
    if (field === 'amount' && typeof value === 'number') return format.amount(value, String(fields['currency'] ?? ''));
    const isTime = field === 'occurredAt' && !Number.isNaN(Date.parse(String(value)));
    return isTime ? <Time at={String(value)} /> : value;
  };
  // a chosen currency is in no column
  const all = [...found.columns.map(({ field }) => field), found.currency === null ? null : 'currency'];
  const fields = [...new Set(all.filter((field) => field !== null))];
  const columns: readonly Column<Sample>[] = [
    { key: 'line', title: texts.line, cell: ({ line }) => format.count(line) },
    // before the fields: a file may have more of them than the screen shows
    {
      key: 'problem',
      title: texts.result,
      cell: ({ message, isPaid }) => {
        if (!isPaid) return <Badge tone="plain">{texts.isNotPaid}</Badge>;
        if (message === null) return <Badge tone="good">{texts.isRead}</Badge>;
        return (
          <div className={styles.refused}>
            <Badge tone="bad">{texts.refused}</Badge> <Refused message={message} />
          </div>
        );
      },
    },
    ...fields.map((field) => ({ key: field, title: nameOf(field), cell: (row: Sample) => shown(row, field) })),
  ];
  return (
    <>
      <h3>{texts.samples}</h3>
      <Table
        caption={texts.samples}
        columns={columns}
        rows={found.samples}
        keyOf={({ line }) => line}
        isStale={isStale}
      />
    </>
  );
};

/** A choice over earlier ones. A field has one column: the one that had it is free again. Another sheet has other columns. */
const withChoice = (earlier: FileChoices, chosen: FileChoices): FileChoices => {
  if (chosen.sheet !== undefined) return chosen;
  const [field] = Object.values(chosen.columns ?? {});
  const kept = Object.entries(earlier.columns ?? {}).filter(([, one]) => one === null || one !== field);
  const columns = { ...Object.fromEntries(kept), ...chosen.columns };
  return { ...earlier, ...chosen, ...(Object.keys(columns).length > 0 && { columns }) };
};

/** How a file will be read: what was found, what it leaves open, its first rows; and what to correct, before it is sent. */
export const Preview = ({ of, file, isSending, onSend, onClose }: PreviewProps) => {
  const texts = useTexts(previewTexts);
  const format = useFormat();
  const api = useApi();
  const account = useAccountId();
  const [chosen, setChosen] = useState<FileChoices>();
  // what is shown while the file is read again, and if it then cannot be
  const [last, setLast] = useState<ImportPreview>();
  const choices = chosen && JSON.stringify(chosen);
  const query = useQuery({
    queryKey: ['import-preview', account, of, file.name, file.size, file.lastModified, choices],
    queryFn: ({ signal }) =>
      upload<ImportPreview>(
        api,
        { path: `${pathOf(account)}/preview`, query: { of, choices }, file },
        { onProgress: () => undefined, signal },
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (query.data && query.data !== last) setLast(query.data);
  const found = query.data ?? last;
  // the sheet that was found stays, whatever is chosen of it
  const ofFound = { ...found?.choices, ...(found && found.sheet !== null && { sheet: found.sheet }) };
  const onChoose: Choose = (choice) => setChosen(withChoice(chosen ?? ofFound, choice));
  return (
    <>
      <h3>{texts.title(file.name)}</h3>
      {query.error && <Failure error={query.error} />}
      {!found && query.isPending && <Skeleton lines={6} />}
      {found && (
        <>
          <Summary found={found} />
          <Questions found={found} onChoose={onChoose} />
          <Samples found={found} isStale={query.isFetching || query.isError} />
          <Corrections found={found} onChoose={onChoose} />
        </>
      )}
      <div className={styles.actions}>
        {found && (
          <Button
            look="primary"
            icon="check"
            isBusy={isSending}
            disabled={!query.data || query.data.missing.length > 0}
            onClick={() => onSend(choices === undefined ? {} : { choices })}
          >
            {texts.send(format.count(found.rows))}
          </Button>
        )}
        <Button disabled={isSending} onClick={onClose}>
          {texts.another}
        </Button>
      </div>
      {found && <p className="small">{texts.kept}</p>}
    </>
  );
};
