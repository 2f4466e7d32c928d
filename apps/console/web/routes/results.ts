import { createRoute } from '@tanstack/react-router';
import { parseRange } from '../range/range.ts';
import { parseOverviewSearch, parseStorySearch } from '../search.ts';
import { account } from './frame.ts';
import { screenComponents } from './screen-components.ts';

const overview = createRoute({
  getParentRoute: () => account,
  path: '/overview',
  validateSearch: parseOverviewSearch,
  component: screenComponents.overview,
});

const quality = createRoute({
  getParentRoute: () => account,
  path: '/quality',
  validateSearch: parseRange,
  component: screenComponents.quality,
});

const find = createRoute({
  getParentRoute: () => account,
  path: '/find',
  validateSearch: parseStorySearch,
  component: screenComponents.find,
});

export const resultRoutes = [overview, quality, find] as const;
