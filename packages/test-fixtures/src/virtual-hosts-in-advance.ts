import type { LocalBroker } from '@leadback/local-stack';
import { unique } from './unique.ts';

interface VirtualHost {
  readonly name: string;
  /** For the administrator. */
  readonly url: string;
}

/** Returns a virtual host that nobody else uses. */
export type NextVirtualHost = () => Promise<VirtualHost>;

const addedTogether = 8;

/** Adds virtual hosts to a RabbitMQ before they are needed: several take half a second of a core, as one does. */
export const virtualHostsInAdvance = (broker: LocalBroker): NextVirtualHost => {
  const ready: VirtualHost[] = [];
  let adding: Promise<void> | undefined;

  const add = async (): Promise<void> => {
    const names = Array.from({ length: addedTogether }, () => unique('host'));
    const urls = await broker.addVirtualHosts(names);
    for (const [index, url] of urls.entries()) ready.push({ name: names[index] ?? '', url });
  };

  const next: NextVirtualHost = async () => {
    const host = ready.shift();
    if (host) return host;
    adding ??= add().finally(() => (adding = undefined));
    await adding;
    return next();
  };
  return next;
};
