import { administrator } from './definitions.ts';

/** The URL of a local broker for a user, whose password is the name. */
export const asBrokerUser = (url: string, user: string): string => {
  const own = new URL(url);
  own.username = user;
  own.password = user;
  return own.href;
};

export const administratorUrl = (port: number, virtualHost: string): string =>
  asBrokerUser(`amqp://127.0.0.1:${port}/${encodeURIComponent(virtualHost)}`, administrator);
