import styles from './style.module.css';

/** `shop.example:8443`: what tells webhooks apart. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const pathOf = (url: string): string => {
  if (!URL.canParse(url)) return '';
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** The host first: it is what people look for. */
export const WebhookUrl = ({ url }: { readonly url: string }) => (
  <span className={styles.url}>
    <strong>{hostOf(url)}</strong>
    <small>{pathOf(url)}</small>
  </span>
);
