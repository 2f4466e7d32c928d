import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Source, SourceKind, SourceReply } from '../../../src/contract/sources.ts';
import { useApi, useMay } from '../../api.ts';
import { Button, classNames, Icon } from '../../parts/button.tsx';
import { ShownOnce } from '../../parts/copy.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/form.tsx';
import { backLook, Card, Loaded, ScreenHead, Stack } from '../../parts/layout.tsx';
import { Failure, showToast } from '../../parts/notices.tsx';
import { Badge, Time } from '../../parts/values.tsx';
import { commonTexts } from '../../text/common.ts';
import { useFormat, useLanguage, useTexts } from '../../text/language.tsx';
import { FieldInputs, useFields } from '../connections/form.tsx';
import { problemsIn, Wrong } from '../connections/parts.tsx';
import looks from '../connections/style.module.css';
import { connectionTexts } from '../connections/texts.ts';
import { Connect } from './connect.tsx';
import { sourceListTexts } from './list-texts.ts';
import { ClickShare, SourceState } from './list.tsx';
import { Log } from './log.tsx';
import { MapCard } from './map.tsx';
import { askedFields, Copied, FirstMessage, OtherSide, useOtherTitle } from './other-side.tsx';
import {
  changeSource,
  deleteSource,
  kindsQuery,
  renewUrl,
  rotateSecret,
  sourceHealthOf,
  sourceName,
  sourceQuery,
  switchSource,
  useSourcesChanged,
} from './queries.ts';
import styles from './style.module.css';
import { sourceTexts } from './texts.ts';

interface Of {
  readonly account: string;
  readonly found: SourceReply;
}

interface OfKind extends Of {
  readonly kind: SourceKind;
}

interface DialogProps {
  readonly account: string;
  readonly source: Source;
  readonly onClose: () => void;
}

/** Explains the overlap before it changes the secret, and shows the new one, once. */
const RotateDialog = ({ account, source: { id }, onClose }: DialogProps) => {
  const texts = useTexts(sourceTexts);
  const format = useFormat();
  const api = useApi();
  const sourcesChanged = useSourcesChanged();
  const rotate = useMutation({ mutationFn: () => rotateSecret(api, account, id), onSuccess: sourcesChanged });
  if (rotate.data) {
    const { secret, earlierUntil } = rotate.data;
    return (
      <Dialog
        title={texts.rotated}
        actions={
          <Button look="primary" onClick={onClose}>
            {texts.stored}
          </Button>
        }
      >
        <Stack>
          <p>{texts.secretOnce}</p>
          <p>{texts.earlier(format.time(earlierUntil))}</p>
          <ShownOnce title={texts.secret} value={secret} />
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={texts.rotateTitle}
      action={texts.rotateTitle}
      isBusy={rotate.isPending}
      error={rotate.error}
      focus="cancel"
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>{texts.rotateText}</p>
    </FormDialog>
  );
};

/** The same of the address, for a kind that does not sign: it is the secret. */
const RenewDialog = ({ account, kind, source: { id }, onClose }: DialogProps & Pick<OfKind, 'kind'>) => {
  const texts = useTexts(sourceTexts);
  const format = useFormat();
  const api = useApi();
  const sourcesChanged = useSourcesChanged();
  const renew = useMutation({ mutationFn: () => renewUrl(api, account, id), onSuccess: sourcesChanged });
  if (renew.data) {
    const { url, earlierUntil } = renew.data;
    return (
      <Dialog
        title={texts.renewed}
        actions={
          <Button look="primary" onClick={onClose}>
            {texts.done}
          </Button>
        }
      >
        <Stack>
          <p>{texts.earlierUrl(format.time(earlierUntil))}</p>
          <Copied title={texts.address} value={url} />
          {kind.query && <Copied title={texts.template} value={`${url}?${kind.query.template}`} />}
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={texts.renewTitle}
      action={texts.renewTitle}
      isBusy={renew.isPending}
      error={renew.error}
      focus="cancel"
      onSubmit={() => renew.mutate()}
      onClose={onClose}
    >
      <p>{texts.renewText}</p>
    </FormDialog>
  );
};

const DeleteDialog = ({ account, source, onClose }: DialogProps) => {
  const texts = useTexts(sourceTexts);
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const sourcesChanged = useSourcesChanged();
  const name = sourceName(source);
  const remove = useMutation({
    mutationFn: () => deleteSource(api, account, source.id),
    onSuccess: async () => {
      showToast(texts.removed(name));
      await navigate({ to: '/a/$account/connections', params: { account } });
      client.removeQueries({ queryKey: sourceQuery(api, account, String(source.id)).queryKey });
      await sourcesChanged();
    },
  });
  return (
    <FormDialog
      title={texts.removeTitle(name)}
      action={texts.removeAction}
      look="danger"
      isBusy={remove.isPending}
      error={remove.error}
      focus="cancel"
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.removeMeans}</p>
      <p>{texts.removeStays}</p>
    </FormDialog>
  );
};

/** Pause, resume, a new secret, delete. */
const Actions = ({ account, kind, found: { source, secrets } }: OfKind) => {
  const texts = useTexts(sourceTexts);
  const format = useFormat();
  const api = useApi();
  const sourcesChanged = useSourcesChanged();
  const may = useMay('manage-connections');
  const [asked, setAsked] = useState<'rotate' | 'renew' | 'delete'>();
  const turn = useMutation({
    mutationFn: (verb: 'pause' | 'resume') => switchSource(api, account, source.id, verb),
    onSuccess: ({ waiting }, verb) => {
      showToast(verb === 'pause' ? texts.paused : texts.resumed(format.count(waiting)));
      return sourcesChanged();
    },
  });
  if (!may) return <p className={styles.small}>{texts.mayNot}</p>;
  const close = () => setAsked(undefined);
  return (
    <>
      <div className={styles.actions}>
        {source.state !== 'active' && (
          <Button look="primary" icon="play" isBusy={turn.isPending} onClick={() => turn.mutate('resume')}>
            {texts.resume}
          </Button>
        )}
        {source.state !== 'paused' && (
          <Button icon="pause" isBusy={turn.isPending} onClick={() => turn.mutate('pause')}>
            {texts.pause}
          </Button>
        )}
        {kind.makesSecret && secrets !== null && (
          <Button icon="key" onClick={() => setAsked('rotate')}>
            {texts.rotate}
          </Button>
        )}
        {kind.query !== null && secrets !== null && (
          <Button icon="key" onClick={() => setAsked('renew')}>
            {texts.renew}
          </Button>
        )}
        <Button icon="close" onClick={() => setAsked('delete')}>
          {texts.remove}
        </Button>
      </div>
      {turn.error && <Failure error={turn.error} />}
      {asked === 'rotate' && <RotateDialog account={account} source={source} onClose={close} />}
      {asked === 'renew' && <RenewDialog account={account} kind={kind} source={source} onClose={close} />}
      {asked === 'delete' && <DeleteDialog account={account} source={source} onClose={close} />}
    </>
  );
};

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={looks.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** Why nothing is worked on, if so. */
const Trouble = ({ source }: { readonly source: Source }) => {
  const texts = useTexts(sourceTexts);
  const format = useFormat();
  const health = sourceHealthOf(source);
  if (health === 'active' || health === 'first') return null;
  return (
    <div className={classNames(looks.trouble, (health === 'refused' || health === 'unsigned') && looks.rejected)}>
      <p>{texts.healthTexts[health]}</p>
      {health === 'unsigned' && source.refusedAt !== null && (
        <p>
          {texts.refused(format.count(source.refused))} <Time at={source.refusedAt} look="ago" />.
        </p>
      )}
      {source.stateReason !== null && <q lang="en">{source.stateReason}</q>}
    </div>
  );
};

/** How a source does, what brings more clicks, and what can be done. */
const Facts = ({ account, kind, found }: OfKind) => {
  const texts = useTexts(sourceTexts);
  const list = useTexts(sourceListTexts);
  const { language } = useLanguage();
  const format = useFormat();
  const { source, secrets, earlierUntil } = found;
  return (
    <Card>
      <div className={looks.factsBody}>
        {secrets === null && <p className={looks.warning}>{texts.unreadable}</p>}
        <Trouble source={source} />
        <dl className={looks.facts}>
          <Fact title={texts.facts.last}>
            {source.lastEventAt === null ? list.never : <Time at={source.lastEventAt} look="ago" />}
          </Fact>
          <Fact title={texts.facts.share}>
            <ClickShare source={source} />
          </Fact>
          <Fact title={texts.facts.adjustments}>{format.count(source.adjustments)}</Fact>
          <Fact title={texts.facts.failed}>{format.count(source.failed)}</Fact>
          <Fact title={texts.facts.waiting}>{format.count(source.waiting)}</Fact>
        </dl>
        <p className={styles.small}>
          {list.source(source.id)} · {texts.facts.created} <Time at={source.createdAt} /> · {texts.ofDays}{' '}
          {earlierUntil !== null && texts.earlier(format.time(earlierUntil))}
        </p>
        {source.withoutClick > 0 && (
          <div className={styles.said}>
            <p>{texts.raise}</p>
            <p>{kind.texts[language].clicks}</p>
          </div>
        )}
        <Actions account={account} kind={kind} found={found} />
      </div>
    </Card>
  );
};

/** Label, settings and secrets. */
const Settings = ({ account, kind, found }: OfKind) => {
  const texts = useTexts(sourceTexts);
  const common = useTexts(connectionTexts);
  const api = useApi();
  const client = useQueryClient();
  const sourcesChanged = useSourcesChanged();
  const may = useMay('manage-connections');
  const { source, settings, secrets } = found;
  const form = useFields({ settings, credentials: secrets });
  const [typedLabel, setLabel] = useState<string>();
  const isChanged = typedLabel !== undefined || Object.keys(form.typed).length > 0;
  const reset = () => {
    form.resetFields();
    setLabel(undefined);
  };
  const save = useMutation({
    mutationFn: () =>
      changeSource(api, account, source.id, {
        content: form.typed,
        ...(typedLabel !== undefined && { label: typedLabel.trim() || kind.title }),
      }),
    onSuccess: (stored) => {
      showToast(stored.earlierUntil === found.earlierUntil ? texts.saved : texts.savedSecret);
      reset();
      client.setQueryData(sourceQuery(api, account, String(source.id)).queryKey, stored);
      return sourcesChanged();
    },
  });
  const problems = problemsIn(save.error);
  const isRefused = source.state === 'needs_attention';
  return (
    <Card title={texts.settings}>
      <form
        className={styles.body}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <fieldset className={looks.all} disabled={!may}>
          <div className={looks.fields}>
            <Field
              label={`${texts.label} (${common.optional})`}
              name="label"
              hint={texts.labelHelp}
              problem={problems.find(({ field }) => field === 'label')?.message}
              value={typedLabel ?? source.label}
              autoComplete="off"
              onChange={(event) => setLabel(event.target.value)}
            />
            <FieldInputs
              fields={askedFields(kind, form)}
              form={form}
              problems={problems}
              wanted={isRefused ? ['accessToken'] : []}
            />
          </div>
        </fieldset>
        {save.error && <Wrong error={save.error} />}
        {may && (
          <div className={styles.actions}>
            <Button look="primary" type="submit" disabled={!isChanged} isBusy={save.isPending}>
              {texts.save}
            </Button>
            {isChanged && (
              <Button
                onClick={() => {
                  reset();
                  save.reset();
                }}
              >
                {texts.discard}
              </Button>
            )}
          </div>
        )}
      </form>
    </Card>
  );
};

/** At the top until the first message has come; later, to look it up. */
const HowTo = ({ kind, found: { source, url } }: Omit<OfKind, 'account'>) => {
  const title = useOtherTitle(kind);
  if (source.received > 0) {
    return (
      <Card>
        <details className={styles.more}>
          <summary>{title}</summary>
          <div className={styles.body}>
            <OtherSide kind={kind} url={url} />
          </div>
        </details>
      </Card>
    );
  }
  return (
    <Card title={title}>
      <div className={styles.body}>
        <FirstMessage kind={kind} source={source} />
        <OtherSide kind={kind} url={url} />
      </div>
    </Card>
  );
};

const Shown = ({ account, kind, found }: OfKind) => {
  const texts = useTexts(sourceTexts);
  const may = useMay('manage-connections');
  const { source, secrets } = found;
  const hasSecret = kind.fields.some(({ name }) => name === 'secret');
  const isSecretMissing = hasSecret && secrets?.includes('secret') === false;
  const hasSome = source.received > 0;
  return (
    <>
      {isSecretMissing && (
        <div className={looks.warning}>
          <p role="status">{texts.secretMissing(kind.title)}</p>
          {may && (
            <Button onClick={() => document.querySelector<HTMLInputElement>('input[name="secret"]')?.focus()}>
              {texts.enterSecret}
            </Button>
          )}
        </div>
      )}
      {kind.connects && <Connect account={account} kind={kind} found={found} />}
      <Facts account={account} kind={kind} found={found} />
      {hasSome && <Log account={account} source={source} />}
      {!hasSome && <HowTo kind={kind} found={found} />}
      {kind.hasMap && may && <MapCard account={account} found={found} />}
      <Settings account={account} kind={kind} found={found} />
      {hasSome && <HowTo kind={kind} found={found} />}
    </>
  );
};

/** One source: does it send, what resulted, and what is set? */
export const OneSource = ({ account, id }: { readonly account: string; readonly id: string }) => {
  const common = useTexts(commonTexts);
  const connection = useTexts(connectionTexts);
  const api = useApi();
  const query = useQuery(sourceQuery(api, account, id));
  const kinds = useQuery(kindsQuery(api, account));
  return (
    <>
      <Link to="/a/$account/connections" params={{ account }} className={backLook}>
        <Icon name="left" />
        {connection.toList}
      </Link>
      <Loaded query={query} lines={8}>
        {(found) => (
          <>
            <ScreenHead
              title={sourceName(found.source)}
              intro={
                <span className={styles.actions}>
                  <SourceState source={found.source} />
                  {found.source.isTest && <Badge tone="accent">{common.test}</Badge>}
                </span>
              }
            />
            <Loaded query={kinds} lines={6}>
              {({ items }) => {
                const kind = items.find(({ name }) => name === found.source.kind);
                return kind && <Shown account={account} kind={kind} found={found} />;
              }}
            </Loaded>
          </>
        )}
      </Loaded>
    </>
  );
};
