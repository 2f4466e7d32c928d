import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { useMay } from '../../api/use-api.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './style.module.css';
import { auditTexts } from './texts.ts';

interface LinkedProps {
  readonly noun: string;
  readonly id: string;
  /** Of the entry; undefined: it is of none. */
  readonly account: string | undefined;
  readonly words: string;
}

/** Something of an account. */
const ToScreen = ({ noun, id, account, words }: LinkedProps & { readonly account: string }) => {
  const params = { account };
  switch (noun) {
    case 'account':
      return (
        <Link to="/a/$account/overview" params={params}>
          {words}
        </Link>
      );
    case 'connection':
      return (
        <Link to="/a/$account/connections/$connection" params={{ account, connection: id }}>
          {words}
        </Link>
      );
    case 'delivery':
      return (
        <Link to="/a/$account/deliveries/$delivery" params={{ account, delivery: id }}>
          {words}
        </Link>
      );
    case 'import':
      return (
        <Link to="/a/$account/imports/$import" params={{ account, import: id }}>
          {words}
        </Link>
      );
    case 'key':
      return (
        <Link to="/a/$account/keys" params={params}>
          {words}
        </Link>
      );
    case 'page':
      return (
        <Link to="/a/$account/pages/$page" params={{ account, page: id }}>
          {words}
        </Link>
      );
    case 'reconciliation':
      return (
        <Link to="/a/$account/reconciliation/$reconciliation" params={{ account, reconciliation: id }}>
          {words}
        </Link>
      );
    case 'task':
      return (
        <Link to="/a/$account/undelivered" params={params}>
          {words}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/a/$account/webhooks/$webhook" params={{ account, webhook: id }}>
          {words}
        </Link>
      );
    default:
      return words;
  }
};

/** A link to the screen of the target, if there is one that the person may see. */
const Linked = ({ noun, id, account, words }: LinkedProps) => {
  const mayManagePeople = useMay('manage-people');
  if (noun === 'person') return mayManagePeople ? <Link to="/people">{words}</Link> : words;
  if (account === undefined) return words;
  return <ToScreen noun={noun} id={id} account={account} words={words} />;
};

/** What was acted on, `<noun> <id>`, in words. */
export const Target = ({ entry: { target, accountId } }: { readonly entry: AuditEntry }) => {
  const nouns: Readonly<Record<string, string>> = useTexts(auditTexts).targets;
  const [noun = '', id = ''] = target.split(' ');
  const words = `${nouns[noun] ?? noun} ${id}`.trim();
  return (
    <span className={styles.target}>
      <Linked noun={noun} id={id} account={accountId === null ? undefined : String(accountId)} words={words} />
    </span>
  );
};
