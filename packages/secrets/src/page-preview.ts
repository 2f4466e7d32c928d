import { isKeyedCheck, keyedCheck } from './keyed-check.ts';
import { keysFor, type Keys, type SecretsKeys } from './secrets-keys.ts';

const checkLength = 22;

export const pagePreviewKeys = (secretsKeys: SecretsKeys): Keys => keysFor(secretsKeys, 'page preview');

const validMs = 24 * 60 * 60 * 1000;

/** The last part of a preview URL, which works for 24 hours. Only a holder of SECRETS_KEY can make it. */
export const pagePreviewCode = (keys: Keys, pageId: number, nowMs = Date.now()): string => {
  const content = `${pageId}-${Math.floor((nowMs + validMs) / 1000)}`;
  return `${content}-${keyedCheck(keys, content, checkLength)}`;
};

/** The id of the page, or undefined for an invalid code and one whose time is over. */
export const pageOfPreviewCode = (keys: Keys, code: string, nowMs = Date.now()): number | undefined => {
  const shape = /^(?<content>(?<id>[1-9]\d{0,15})-(?<until>\d{10,12}))-(?<given>[0-9A-Za-z]{22})$/;
  const { content = '', id = '', until = '', given = '' } = shape.exec(code)?.groups ?? {};
  if (content === '' || !isKeyedCheck(keys, content, given)) return undefined;
  return nowMs < Number(until) * 1000 ? Number(id) : undefined;
};
