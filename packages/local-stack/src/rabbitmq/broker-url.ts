import { administrator } from './definitions.ts';

/** The URL of a local broker for a user. All users of a local broker have the same password. */
export const asBrokerUser = (url: string, user: string): string => {
  const own = new URL(url);
  own.username = user;
  return own.href;
};

export const administratorUrl = (port: number, password: string, virtualHost: string): string =>
  `amqp://${administrator}:${password}@127.0.0.1:${port}/${encodeURIComponent(virtualHost)}`;
