import { createRoute } from '@tanstack/react-router';
import { parseAuditSearch, parseFindSearch } from '../search.ts';
import { account, across } from './frame.ts';
import { screenComponents } from './screen-components.ts';

const audit = createRoute({
  getParentRoute: () => account,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: screenComponents.audit,
});

const accounts = createRoute({
  getParentRoute: () => across,
  path: '/accounts',
  validateSearch: parseFindSearch,
  component: screenComponents.accounts,
});

const people = createRoute({
  getParentRoute: () => across,
  path: '/people',
  validateSearch: parseFindSearch,
  component: screenComponents.people,
});

const auditOfAll = createRoute({
  getParentRoute: () => across,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: screenComponents.audit,
});

export const auditRoutes = [audit] as const;
export const acrossRoutes = [accounts, people, auditOfAll] as const;
