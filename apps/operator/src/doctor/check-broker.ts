import {
  type BrokerPart,
  type BrokerReport,
  deadLeadQueue,
  deadLetterQueue,
  feedbackQueues,
  inspectBroker,
  leadQueue,
} from '@leadback/messaging';
import { type Finding, ok, warn, wrong } from './finding.ts';
import { pluralize } from './format.ts';

const meanwhile = 'Meanwhile conversions are accepted as always, and their feedback waits in PostgreSQL.';

const virtualHostOf = (url: URL) => decodeURIComponent(url.pathname.slice(1)) || '/';

const unreached = (url: URL, error: unknown): Finding => {
  const words = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  if (/ACCESS.REFUSED/.test(words)) {
    return wrong(
      'broker',
      `RabbitMQ at ${url.host} does not let us in as ${url.username}`,
      'See that user and password of AMQP_URL are right, and that the user may use the virtual host.',
    );
  }
  // it ends the connection when it hears which virtual host we want
  if (/NOT.ALLOWED|ConnectionClose/.test(words)) {
    return wrong(
      'broker',
      `RabbitMQ at ${url.host} has no virtual host ${virtualHostOf(url)}, or ${url.username} may not use it`,
      'See that AMQP_URL names the right one; `rabbitmqctl list_user_permissions` shows which a user may use.',
    );
  }
  return wrong(
    'broker',
    `RabbitMQ at ${url.host} cannot be reached (${code})`,
    `See that the server is up, and that AMQP_URL names it. ${meanwhile}`,
  );
};

const topology = (parts: readonly BrokerPart[], url: URL): readonly Finding[] => {
  const check = 'topology';
  const findings = parts.flatMap(({ kind, name, state }): Finding[] => {
    if (state === 'missing') {
      return [
        wrong(
          check,
          `the ${kind} ${name} is missing`,
          'Every app declares what it uses when it connects: start it, or start it again. No feedback is lost by it.',
        ),
      ];
    }
    if (state === 'other') {
      const how = kind === 'queue' ? `\`rabbitmqctl delete_queue -p ${virtualHostOf(url)} ${name}\`, or in` : 'in';
      const keep = name === leadQueue ? ' What is in it are leads: let them be written first.' : '';
      return [
        wrong(
          check,
          `the ${kind} ${name} was declared with another type or other arguments, and no app can use it`,
          `Delete it (${how} the management page); the apps declare it as it should be.${keep}`,
        ),
      ];
    }
    return [];
  });
  if (findings.length > 0) return findings;
  const isCompared = parts.every(({ state }) => state === 'alike');
  const finding = isCompared
    ? 'as the apps declare it'
    : `there; ${url.username} may not compare how they are declared, but an app that cannot use one logs it`;
  return [ok(check, `every exchange and queue is ${finding}`)];
};

const workers = (queue: (name: string) => BrokerPart | undefined): readonly Finding[] => {
  const check = 'workers';
  const alone = Object.values(feedbackQueues).filter((name) => queue(name)?.consumers === 0);
  const findings = alone.map((name) =>
    wrong(
      check,
      `nobody takes from ${name}, where ${pluralize(queue(name)?.messages ?? 0, 'message waits', 'messages wait')}`,
      'Start a feedback-worker. Where one runs, its log says why it does not take.',
    ),
  );
  if (queue(leadQueue)?.consumers === 0) {
    findings.push(
      warn(
        check,
        `no landing app takes from ${leadQueue}, where ${pluralize(queue(leadQueue)?.messages ?? 0, 'lead waits', 'leads wait')}`,
        'Start one. Where one runs, its log says why it does not take; it does not while the database is away.',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(check, 'every queue has somebody who takes from it')];
};

const dead = (queue: (name: string) => BrokerPart | undefined, url: URL): readonly Finding[] => {
  const check = 'dead messages';
  const leads = queue(deadLeadQueue)?.messages ?? 0;
  const messages = queue(deadLetterQueue)?.messages ?? 0;
  const findings: Finding[] = [];
  if (leads > 0) {
    findings.push(
      wrong(
        check,
        `${pluralize(leads, 'lead')} could not be written, and ${leads === 1 ? 'is' : 'are'} kept in ${deadLeadQueue}`,
        'The log of the landing app says why: a key that SECRETS_KEY lacks, or an account or page that is gone. Mend it, then `lead replay`.',
      ),
    );
  }
  if (messages > 0) {
    findings.push(
      warn(
        check,
        `${pluralize(messages, 'message')} of feedback ${messages === 1 ? 'was' : 'were'} given back twenty times, and ${messages === 1 ? 'is' : 'are'} kept in ${deadLetterQueue}`,
        `Nothing is lost: they only name rows, which are published again. The log of the feedback-worker says what was in its way. \`rabbitmqctl purge_queue -p ${virtualHostOf(url)} ${deadLetterQueue}\` clears them.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(check, 'none')];
};

const findingsOf = ({ version, parts }: BrokerReport, url: URL): readonly Finding[] => {
  const queue = (name: string) => parts.find((part) => part.kind === 'queue' && part.name === name);
  return [
    ok('broker', `RabbitMQ ${version} at ${url.host} answers`),
    ...topology(parts, url),
    ...workers(queue),
    ...dead(queue, url),
  ];
};

/** Whether RabbitMQ is there and as the apps need it, and whether somebody takes what is in it. */
export const checkBroker = async (amqpUrl: string | undefined): Promise<readonly Finding[]> => {
  if (amqpUrl === undefined) {
    return [
      warn('broker', 'not looked at: AMQP_URL is not set', 'Run `doctor` with the AMQP_URL of the user operator.'),
    ];
  }
  const url = new URL(amqpUrl);
  try {
    return findingsOf(await inspectBroker(amqpUrl), url);
  } catch (error) {
    return [unreached(url, error)];
  }
};
