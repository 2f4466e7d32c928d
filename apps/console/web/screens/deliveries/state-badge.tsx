import type { Delivery } from '../../../src/contract/deliveries.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { useTexts } from '../../text/language.tsx';
import { deliveriesTexts } from './texts.ts';

const tones: Readonly<Record<Delivery['state'], Tone>> = {
  pending: 'plain',
  delivered: 'good',
  failed: 'bad',
  skipped: 'warn',
};

export const StateBadge = ({ state }: { readonly state: Delivery['state'] }) => (
  <Badge tone={tones[state]}>{useTexts(deliveriesTexts).states[state]}</Badge>
);
