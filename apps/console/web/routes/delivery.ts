import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseDeliveriesSearch } from '../search.ts';
import { account } from './frame.ts';
import { screenComponents } from './screen-components.ts';

const undelivered = createRoute({
  getParentRoute: () => account,
  path: '/undelivered',
  component: screenComponents.undelivered,
});

const deliveries = createRoute({
  getParentRoute: () => account,
  path: '/deliveries',
  validateSearch: parseDeliveriesSearch,
  component: screenComponents.deliveries,
});

/** The drawer: the list stays below it, with its filters. */
const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '/$delivery',
  component: lazyRouteComponent(() => import('../screens/deliveries/delivery.tsx'), 'DeliveryDrawer'),
});

export const deliveryRoutes = [undelivered, deliveries.addChildren([delivery])] as const;
