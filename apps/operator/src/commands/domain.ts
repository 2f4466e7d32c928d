import { findAccount } from '@leadback/core/accounts/accounts';
import { describeFinding, dnsResolver } from '@leadback/core/domains/dns';
import {
  addDomain as add,
  checkDomain as check,
  type CheckedDomain,
  type DomainRecord,
  findDomain,
  listDomains as list,
  removeDomain as remove,
} from '@leadback/core/domains/domains';
import type { DnsRecord } from '@leadback/domain';
import { z } from 'zod';
import { command, type OperatorContext } from '../command.ts';
import { eachAccountOptions, eachAccountSchema, rowsOfEach } from '../each-account.ts';
import { idSchema } from '../options.ts';

const resolverOption = ['--resolver <host:port>', 'a name server to ask in place of that of this machine'] as const;

const resolver = z
  .string()
  .transform((typed, context) => {
    try {
      return dnsResolver(typed);
    } catch {
      context.addIssue('expected the IP address of a name server and its port, such as 127.0.0.1:53');
      return z.NEVER;
    }
  })
  .optional();

type Resolver = z.output<typeof resolver>;

const toolsOf = ({ landingUrl }: Pick<OperatorContext, 'landingUrl'>, dns: Resolver) => ({
  landingUrl,
  dns: dns ?? dnsResolver(),
});

const line = ({ host, type, value }: DnsRecord): string => `${host} ${type} ${type === 'TXT' ? `"${value}"` : value}`;

const findingOf = ({ finding, record }: DomainRecord): string | null =>
  finding === null ? null : describeFinding(finding, record);

const rowOf = ({ id, name, record, state }: DomainRecord) => ({ id, name, record, state });

/** In a table, a record is one line. */
const shown = <Row extends { readonly record: DnsRecord; readonly proof?: DnsRecord }>({
  record,
  proof,
  ...row
}: Row) => ({ ...row, record: line(record), ...(proof && { proof: line(proof) }) });

export const addDomain = command({
  name: 'domain add',
  summary: 'let landing show the pages of an account on a domain of its own, such as go.shop.example',
  options: [['--account <id>', 'account of the domain'], ['--name <host>', 'the whole host name'], resolverOption],
  input: z.object({ account: idSchema, name: z.string(), resolver }),
  async run({ account: accountId, name, resolver: dns }, context) {
    const { em, pool, actor, landingUrl, consoleUrl, apiUrl } = context;
    await findAccount(em, accountId);
    const ownUrls = [landingUrl, consoleUrl, ...(apiUrl === undefined ? [] : [apiUrl])];
    const domain = await add(pool, { ...toolsOf(context, dns), accountId, actor, name, ownUrls });
    return {
      ...rowOf(domain),
      proof: domain.proof,
      next: `Create the record, then run \`domain check ${domain.id}\`. The record of \`proof\` keeps other accounts from taking the name`,
    };
  },
  shown,
});

export const listDomains = command({
  name: 'domain list',
  summary: 'list the domains of an account, and what is wrong with their DNS',
  options: eachAccountOptions('domains'),
  brief: ['accountId', 'id', 'name', 'state', 'finding'],
  columns: ['id', 'name', 'record.type', 'record.host', 'record.value', 'state', 'isProved', 'checkedAt', 'finding'],
  input: eachAccountSchema,
  run: (wanted, context) =>
    rowsOfEach(context.em, wanted, async (account) => {
      const domains = await list(context.pool, account, toolsOf(context, undefined));
      return domains.map((domain) => ({
        ...rowOf(domain),
        isProved: domain.provedAt !== null,
        checkedAt: domain.checkedAt,
        finding: findingOf(domain),
      }));
    }),
  shown: (rows) => rows.map(shown),
});

const nextOf = (domain: CheckedDomain): string => {
  if (domain.unanswered !== null) return 'Nothing was changed. Run it again later, or ask another name server';
  if (domain.state !== 'active')
    return `A change may take as long as the record was kept, often an hour. Then run it again`;
  return domain.provedAt === null
    ? `Create the record of \`proof\`: it keeps other accounts from taking the name`
    : 'Nothing: ads may lead to it';
};

export const checkDomain = command({
  name: 'domain check',
  summary: 'ask DNS whether a domain leads to landing, and print what is wrong; exit status 1 unless it does',
  argument: '<id>',
  options: [resolverOption],
  input: z.object({ id: idSchema, resolver }),
  async run({ id, resolver: dns }, context) {
    const domain = await check(context.pool, { id }, toolsOf(context, dns));
    return {
      ...rowOf(domain),
      finding: domain.unanswered === null ? findingOf(domain) : `DNS gave no answer: ${domain.unanswered}`,
      proof: domain.proof,
      isProved: domain.provedAt !== null,
      next: nextOf(domain),
    };
  },
  shown,
  isBad: ({ state }) => state !== 'active',
});

export const removeDomain = command({
  name: 'domain remove',
  summary: 'take a domain from its account: its pages stay, and are no longer shown there',
  argument: '<id>',
  input: z.object({ id: idSchema }),
  async run({ id }, context) {
    const { pool, actor } = context;
    const domain = await findDomain(pool, { id }, toolsOf(context, undefined));
    const { keptDays } = await remove(pool, { id, actor });
    return {
      ...rowOf(domain),
      free: keptDays === null ? 'at once' : `in ${keptDays} days; before, for who proves that the name is theirs`,
    };
  },
  shown,
});
