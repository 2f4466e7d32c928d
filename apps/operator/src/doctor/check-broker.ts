import {
  type BrokerPart,
  type BrokerReport,
  deadLeadQueue,
  hintQueue,
  inspectBroker,
  leadQueue,
} from '@leadback/server/broker';
import { type Found, fail, named, ok, type Result, warn, pluralize } from './check.ts';

const meanwhile =
  'Meanwhile conversions are still accepted; workers find their deliveries in PostgreSQL, up to two seconds later.';

const virtualHostOf = (url: URL) => decodeURIComponent(url.pathname.slice(1)) || '/';

const unreached = (url: URL, error: unknown): Found => {
  const message = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no response';
  if (/ACCESS.REFUSED/.test(message)) {
    return fail(
      `RabbitMQ at ${url.host} rejected the user ${url.username}`,
      'Check the user and password in AMQP_URL, and that the user has permissions on the virtual host.',
    );
  }
  // RabbitMQ closes the connection if the virtual host is missing or forbidden
  if (/NOT.ALLOWED|ConnectionClose/.test(message)) {
    return fail(
      `RabbitMQ at ${url.host} has no virtual host ${virtualHostOf(url)}, or ${url.username} has no permissions on it`,
      'Check the virtual host in AMQP_URL; `rabbitmqctl list_user_permissions` lists the virtual hosts of a user.',
    );
  }
  return fail(
    `RabbitMQ at ${url.host} cannot be reached (${code})`,
    `Check AMQP_URL and that the server is running. ${meanwhile}`,
  );
};

const topology = (parts: readonly BrokerPart[], url: URL): Result => {
  const findings = parts.flatMap(({ kind, name, state }): Result => {
    if (state === 'missing') {
      return fail(
        `the ${kind} ${name} is missing`,
        'Every app declares its exchanges and queues when it connects: start it, or restart it. No delivery is lost.',
      );
    }
    if (state === 'other') {
      const how = kind === 'queue' ? `\`rabbitmqctl delete_queue -p ${virtualHostOf(url)} ${name}\`, or in` : 'in';
      const keep = name === leadQueue ? ' It contains leads: make sure that they are stored first.' : '';
      return fail(
        `the ${kind} ${name} is declared with a different type or arguments, so no app can use it`,
        `Delete it (${how} the management page); the apps declare it again.${keep}`,
      );
    }
    return [];
  });
  if (findings.length > 0) return findings;
  const isCompared = parts.every(({ state }) => state === 'alike');
  const finding = isCompared
    ? 'matches what the apps declare'
    : `exists; ${url.username} has no permission to compare their arguments, but an app that cannot use one logs it`;
  return ok(`every exchange and queue ${finding}`);
};

const workers = (queue: (name: string) => BrokerPart | undefined): Result => {
  const findings: Found[] = [];
  if (queue(hintQueue)?.consumers === 0) {
    findings.push(
      fail(
        `no feedback-worker consumes ${hintQueue}`,
        'Start a feedback-worker. If one is running, its log shows why it does not consume; it pauses while PostgreSQL is unavailable.',
      ),
    );
  }
  if (queue(leadQueue)?.consumers === 0) {
    findings.push(
      warn(
        `no landing app consumes ${leadQueue}, which holds ${pluralize(queue(leadQueue)?.messages ?? 0, 'lead')}`,
        'Start a landing app. If one is running, its log shows why it does not consume; it pauses while PostgreSQL is unavailable.',
      ),
    );
  }
  return findings.length > 0 ? findings : ok('every queue has a consumer');
};

const deadLeads = (queue: (name: string) => BrokerPart | undefined): Result => {
  const leads = queue(deadLeadQueue)?.messages ?? 0;
  if (leads === 0) return ok('none');
  return fail(
    `${pluralize(leads, 'lead')} could not be stored and ${leads === 1 ? 'is' : 'are'} in ${deadLeadQueue}`,
    'The log of the landing app shows why: a key that is missing from SECRETS_KEY, or an account or page that was deleted. Fix the cause, then run `lead replay`.',
  );
};

const findingsOf = ({ version, parts }: BrokerReport, url: URL): readonly Found[] => {
  const queue = (name: string) => parts.find((part) => part.kind === 'queue' && part.name === name);
  return [
    ok(`RabbitMQ ${version} at ${url.host} responds`),
    ...named('topology', topology(parts, url)),
    ...named('workers', workers(queue)),
    ...named('dead leads', deadLeads(queue)),
  ];
};

export const checkBroker = async (amqpUrl: string | undefined): Promise<Result> => {
  if (amqpUrl === undefined) {
    return warn('not checked: AMQP_URL is not set', 'Run `doctor` with the AMQP_URL of the user operator.');
  }
  const url = new URL(amqpUrl);
  try {
    return findingsOf(await inspectBroker(amqpUrl), url);
  } catch (error) {
    return unreached(url, error);
  }
};
