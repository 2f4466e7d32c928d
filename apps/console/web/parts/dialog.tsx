import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { useTexts } from '../text/language.tsx';
import { Button, classNames } from './button.tsx';
import { Field } from './form.tsx';
import { Stack } from './layout.tsx';
import { Failure } from './notices.tsx';
import styles from './parts.module.css';

interface DialogProps {
  readonly title: string;
  /** drawer: at the edge of a wide screen, all of a narrow one. */
  readonly look?: 'dialog' | 'drawer';
  /** Undefined: it cannot be closed without an answer. */
  readonly onClose?: (() => void) | undefined;
  /** Beside the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** The browser's own modal dialog: it keeps the focus, closes with Escape, and gives the focus back. */
export const Dialog = ({ title, look = 'dialog', onClose, tools, children, actions }: DialogProps) => {
  const texts = useTexts(commonTexts);
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // else the browser focuses the first button
    dialog?.querySelector<HTMLElement>('[data-focus]')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    // a click on the backdrop is one more way to close, beside Escape and the button
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={element}
      className={classNames(styles.dialog, styles[look])}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        const dialog = element.current;
        if (dialog?.open !== false) return;
        // browsers let a second Escape close it without asking
        if (onClose) onClose();
        else dialog.showModal();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose?.();
      }}
    >
      <div className={styles.content}>
        <header className={styles.dialogHead}>
          <h2 id={id}>{title}</h2>
          {tools}
          {onClose && <Button look="quiet" icon="close" aria-label={texts.close} onClick={onClose} />}
        </header>
        <div className={styles.body}>{children}</div>
        {actions && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  );
};

interface RowDrawerProps extends Pick<DialogProps, 'title' | 'onClose' | 'actions' | 'children'> {
  /** What the list has, in its order, and what is open. */
  readonly ids: readonly string[];
  readonly id: string;
  readonly names: { readonly previous: string; readonly next: string };
  readonly onOpen: (id: string) => void;
}

/** A row over its list. j and k open its neighbours. */
export const RowDrawer = ({ ids, id, names, onOpen, ...dialog }: RowDrawerProps) => {
  const at = ids.indexOf(id);
  const neighbour = (to: string | undefined) => ({ disabled: to === undefined, onClick: () => to && onOpen(to) });
  return (
    <Dialog
      look="drawer"
      {...dialog}
      tools={
        <>
          <Button
            look="quiet"
            icon="left"
            aria-label={names.previous}
            {...neighbour(at > 0 ? ids[at - 1] : undefined)}
            data-previous
          />
          <Button
            look="quiet"
            icon="right"
            aria-label={names.next}
            {...neighbour(at === -1 ? undefined : ids[at + 1])}
            data-next
          />
        </>
      }
    />
  );
};

interface FormDialogProps extends Pick<DialogProps, 'title'> {
  /** What the button does. */
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  readonly isBusy: boolean;
  /** Whether the button works. */
  readonly isReady?: boolean;
  readonly error?: Error | null;
  /** The button that Enter presses at once. Default: the first field. */
  readonly focus?: 'cancel' | 'action';
  readonly noValidate?: boolean;
  readonly onSubmit: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before it does something. */
export const FormDialog = (props: FormDialogProps) => {
  const {
    title,
    action,
    look = 'primary',
    isBusy,
    isReady = true,
    error,
    focus,
    noValidate,
    onSubmit,
    onClose,
  } = props;
  const texts = useTexts(commonTexts);
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} data-focus={focus === 'cancel' || undefined}>
            {texts.cancel}
          </Button>
          <Button
            look={look}
            type="submit"
            form={id}
            disabled={!isReady}
            isBusy={isBusy}
            data-focus={focus === 'action' || undefined}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate={noValidate}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onSubmit(new FormData(event.currentTarget));
        }}
      >
        <Stack>
          {props.children}
          {error && <Failure error={error} />}
        </Stack>
      </form>
    </Dialog>
  );
};

interface TypedConfirmationProps {
  readonly title: string;
  /** What has to be typed: the name of what is lost. */
  readonly name: string;
  /** What the button does. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What it means. */
  readonly children: ReactNode;
}

/** For what cannot be undone, or stops others: the button works once the name is typed. */
export const TypedConfirmation = (props: TypedConfirmationProps) => {
  const { title, name, action, isBusy, error, onConfirm, onClose, children } = props;
  const texts = useTexts(commonTexts);
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      action={action}
      look="danger"
      isReady={typed.trim() === name.trim()}
      isBusy={isBusy}
      error={error}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      {children}
      <Field
        label={texts.typeName(name)}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        data-focus
      />
    </FormDialog>
  );
};
