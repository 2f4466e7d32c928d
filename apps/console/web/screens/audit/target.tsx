import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { useMay } from '../../api/use-api.ts';
import { useTexts } from '../../text/language.tsx';
import styles from './audit.module.css';
import { auditTexts } from './texts/index.ts';

interface LinkedProps {
  readonly noun: string;
  readonly id: string;
  /** Of the entry; undefined: it is of none. */
  readonly account: string | undefined;
  readonly words: string;
}

/** A link to the screen of the target, if there is one that the person may see. */
const Linked = ({ noun, id, account, words }: LinkedProps) => {
  const mayManagePeople = useMay('manage-people');
  if (noun === 'person') return mayManagePeople ? <Link to="/people">{words}</Link> : words;
  if (account === undefined) return words;
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
        <Link to="/a/$account/deliveries" params={params} search={{ connection: Number(id) }}>
          {words}
        </Link>
      );
    case 'delivery':
      return (
        <Link to="/a/$account/deliveries/$delivery" params={{ account, delivery: id }}>
          {words}
        </Link>
      );
    case 'key':
      return (
        <Link to="/a/$account/keys" params={params}>
          {words}
        </Link>
      );
    case 'task':
      return (
        <Link to="/a/$account/undelivered" params={params}>
          {words}
        </Link>
      );
    default:
      return words;
  }
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
