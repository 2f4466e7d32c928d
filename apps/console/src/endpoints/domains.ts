import {
  addDomain,
  checkDomain,
  type DomainRecord,
  listDomains,
  NameToProve,
  removeDomain,
} from '@leadback/core/domains/domains';
import { ActionRefused } from '@leadback/core/people/access';
import { nothing } from '@leadback/server/http';
import {
  type AddDomainReply,
  addDomainInput,
  addDomainReply,
  checkDomainReply,
  type Domain,
  domainsReply,
  removeDomainReply,
} from '../contract/domains.ts';
import { ofAccount, ofId } from './guard.ts';

const described = ({ id, name, state, finding, record, proof, provedAt, checkedAt }: DomainRecord): Domain => ({
  id,
  name,
  state,
  finding,
  record,
  proof,
  isProved: provedAt !== null,
  checkedAt: checkedAt?.toISOString() ?? null,
});

export const domainEndpoints = [
  ofAccount('read', 'reads', {
    method: 'get',
    path: '/accounts/:account/domains',
    input: nothing,
    reply: domainsReply,
    handle: async ({ scope: { accountId } }, { pool, ...tools }) => ({
      items: (await listDomains(pool, accountId, tools)).map(described),
    }),
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/domains',
    input: addDomainInput,
    reply: addDomainReply,
    async handle({ input: { name }, scope: { accountId }, actor }, { pool, ...tools }): Promise<AddDomainReply> {
      const { landingUrl, consoleUrl, apiUrl } = tools;
      const ownUrls = [landingUrl, consoleUrl, ...(apiUrl === undefined ? [] : [apiUrl])];
      try {
        const domain = await addDomain(pool, { ...tools, accountId, actor, name, ownUrls });
        return { outcome: 'added', domain: described(domain) };
      } catch (error) {
        if (error instanceof NameToProve) return { outcome: 'to-prove', proof: error.proof };
        if (!(error instanceof ActionRefused)) throw error;
        return { outcome: error.because === 'conflict' ? 'too-many' : 'invalid' };
      }
    },
  }),

  ofAccount('edit-pages', 'tests', {
    method: 'post',
    path: '/accounts/:account/domains/:id/check',
    input: ofId,
    reply: checkDomainReply,
    async handle({ input: { id }, scope: { accountId } }, { pool, ...tools }) {
      const { unanswered, ...checked } = await checkDomain(pool, { id, accountId }, tools);
      return { domain: described(checked), isAnswered: unanswered === null };
    },
  }),

  ofAccount('edit-pages', 'fresh', {
    method: 'post',
    path: '/accounts/:account/domains/:id/remove',
    input: ofId,
    reply: removeDomainReply,
    async handle({ input: { id }, scope: { accountId }, actor }, { pool }) {
      const { name } = await removeDomain(pool, { id, accountId, actor });
      return { id, name };
    },
  }),
];
