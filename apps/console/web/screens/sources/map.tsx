import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SourceReply } from '../../../src/contract/sources.ts';
import { useApi } from '../../api.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/form.tsx';
import { Card } from '../../parts/layout.tsx';
import { showToast } from '../../parts/notices.tsx';
import { useFormat, useTexts } from '../../text/language.tsx';
import { useProblems } from '../connections/form.tsx';
import { problemsIn, Wrong } from '../connections/parts.tsx';
import { changeSource, sampleQuery, sourceQuery, useSourcesChanged } from './queries.ts';
import styles from './style.module.css';
import { sourceTexts } from './texts.ts';

const fields = [
  'conversionExternalReference',
  'amount',
  'currency',
  'occurredAt',
  'updatedAt',
  'email',
  'phoneNumber',
  'name',
  'clientExternalReference',
  'leadReference',
  'landingUrl',
  'netAmount',
  'eventName',
  'eventId',
] as const;
const needed: readonly string[] = ['conversionExternalReference', 'amount'];
const conditions = ['when', 'retractWhen', 'restateWhen', 'testWhen'] as const;

type Typed = Readonly<Record<string, string>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `type = order.paid, order.closed` */
const writtenCondition = (value: unknown): string => {
  if (!isRecord(value)) return '';
  const { path, is } = value;
  return typeof path === 'string' && Array.isArray(is) ? `${path} = ${is.map(String).join(', ')}` : '';
};

const writtenMap = (map: SourceReply['map']): Typed =>
  Object.fromEntries(
    Object.entries(map ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : writtenCondition(value),
    ]),
  );

const conditionIn = (text: string) => {
  const [path = '', ...values] = text.split('=');
  const is = values.join('=').split(',');
  return { path: path.trim(), is: is.map((one) => one.trim()).filter((one) => one !== '') };
};

const isCondition = (name: string): boolean => conditions.some((one) => one === name);

/** What is typed, as it is stored; an empty text if nothing is: then there is no map. */
const mapOf = (typed: Typed) => {
  const entries = Object.entries(typed)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name, isCondition(name) ? conditionIn(text) : text]);
  return entries.length === 0 ? '' : Object.fromEntries(entries);
};

interface MapCardProps {
  readonly account: string;
  readonly found: SourceReply;
}

/** Where a message has what a sale needs, chosen among the fields of the newest one. */
export const MapCard = ({ account, found: { source, map } }: MapCardProps) => {
  const texts = useTexts(sourceTexts);
  const format = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const sourcesChanged = useSourcesChanged();
  const listId = useId();
  const { data: sample } = useQuery(sampleQuery(api, account, source));
  const [typed, setTyped] = useState<Typed>();
  const shown = typed ?? writtenMap(map);
  const save = useMutation({
    mutationFn: () => changeSource(api, account, source.id, { content: { map: mapOf(shown) } }),
    onSuccess: (stored) => {
      setTyped(undefined);
      client.setQueryData(sourceQuery(api, account, String(source.id)).queryKey, stored);
      showToast(texts.saved);
      return sourcesChanged();
    },
  });
  const problemOf = useProblems(problemsIn(save.error));
  const input = (name: string, label: string, hint?: string) => (
    <Field
      key={name}
      label={needed.includes(name) ? label : `${label} (${texts.optional})`}
      {...(hint !== undefined && { hint })}
      list={isCondition(name) ? undefined : listId}
      value={shown[name] ?? ''}
      problem={problemOf(`map.${name}`) ?? problemOf(`map.${name}.path`) ?? problemOf(`map.${name}.is`)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => setTyped({ ...shown, [name]: event.target.value })}
    />
  );
  return (
    <Card title={texts.map}>
      <form
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <div className={styles.intro}>
          <p>{texts.mapText}</p>
          {sample && (
            <p className={styles.small}>{sample.at === null ? texts.mapNone : texts.mapFrom(format.time(sample.at))}</p>
          )}
        </div>
        <datalist id={listId}>
          {sample?.fields.map(({ path, value }) => (
            <option key={path} value={path}>
              {value}
            </option>
          ))}
        </datalist>
        <div className={styles.map}>
          {fields.map((name) => input(name, texts.mapFields[name], name === 'leadReference' ? texts.found : undefined))}
          {conditions.map((name) => input(name, texts.conditions[name], texts.conditionHelp))}
        </div>
        {save.error && <Wrong error={save.error} />}
        <div className={styles.actions}>
          <Button look="primary" type="submit" disabled={typed === undefined} isBusy={save.isPending}>
            {texts.mapSave}
          </Button>
          {typed !== undefined && (
            <Button
              onClick={() => {
                setTyped(undefined);
                save.reset();
              }}
            >
              {texts.discard}
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
};
