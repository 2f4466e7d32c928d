import type { Breakdown } from '../../search.ts';
import type { Texts } from '../../text/language.tsx';

interface OverviewTexts {
  readonly title: string;
  readonly intro: string;
  readonly measures: Readonly<Record<'leads' | 'clients' | 'conversions', string>>;
  readonly revenue: (currency: string) => string;
  readonly shareOf: Readonly<Record<'leads' | 'clients', (share: string) => string>>;
  readonly refunded: (amount: string) => string;
  readonly noneBefore: string;
  readonly byDay: (measure: string) => string;
  readonly now: (days: string) => string;
  readonly before: (days: string) => string;
  readonly health: string;
  readonly healthEmpty: string;
  readonly delivered: string;
  readonly failed: string;
  readonly skipped: string;
  readonly pending: string;
  readonly seeLost: string;
  readonly breakdowns: Readonly<Record<Breakdown, string>>;
  readonly names: Readonly<Record<Breakdown, string>>;
  readonly rate: string;
  readonly revenueColumn: string;
  readonly noCampaign: string;
  readonly other: string;
  readonly csv: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyAction: string;
  readonly noRows: string;
  readonly onlyPage: (page: string) => string;
  readonly onlyCampaign: (campaign: string) => string;
}

const overviewEn: OverviewTexts = {
  title: 'Overview',
  intro: 'What the clicks of this account earned, and whether every sale was delivered.',
  measures: { leads: 'Leads', clients: 'Clients', conversions: 'Conversions' },
  revenue: (currency) => `Revenue ${currency}`,
  shareOf: { leads: (share) => `${share} of leads`, clients: (share) => `${share} of clients` },
  refunded: (amount) => `${amount} refunded`,
  noneBefore: 'none before',
  byDay: (measure) => `${measure} by day`,
  now: (days) => days,
  before: (days) => `Before: ${days}`,
  health: 'Delivery health',
  healthEmpty: 'No delivery in this period. Each conversion is delivered to every active connection of the account.',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped',
  pending: 'Pending',
  seeLost: 'See what was not delivered',
  breakdowns: { page: 'Pages', campaign: 'Campaigns', day: 'Days' },
  names: { page: 'Page', campaign: 'Campaign', day: 'Day' },
  rate: 'Leads → sales',
  revenueColumn: 'Revenue',
  noCampaign: 'No campaign',
  other: 'All others',
  csv: 'Download CSV',
  emptyTitle: 'No clicks in this period',
  empty:
    'Choose a longer period. If the account is new: use the URL of a landing page in an ad, and the first click appears here.',
  emptyAction: 'Show the last 90 days',
  noRows: 'Nothing in this period.',
  onlyPage: (page) => `Page: ${page}`,
  onlyCampaign: (campaign) => `Campaign: ${campaign}`,
};

const overviewEs: OverviewTexts = {
  title: 'Resumen',
  intro: 'Cuánto ganaron los clics de esta cuenta, y si cada venta fue entregada.',
  measures: { leads: 'Leads', clients: 'Clientes', conversions: 'Conversiones' },
  revenue: (currency) => `Ingresos ${currency}`,
  shareOf: { leads: (share) => `${share} de los leads`, clients: (share) => `${share} de los clientes` },
  refunded: (amount) => `${amount} devueltos`,
  noneBefore: 'antes ninguno',
  byDay: (measure) => `${measure} por día`,
  now: (days) => days,
  before: (days) => `Antes: ${days}`,
  health: 'Estado de las entregas',
  healthEmpty:
    'Ninguna entrega en este período. Cada conversión se entrega a todas las conexiones activas de la cuenta.',
  delivered: 'Entregadas',
  failed: 'Fallidas',
  skipped: 'Omitidas',
  pending: 'Pendientes',
  seeLost: 'Ver lo que no se entregó',
  breakdowns: { page: 'Páginas', campaign: 'Campañas', day: 'Días' },
  names: { page: 'Página', campaign: 'Campaña', day: 'Día' },
  rate: 'Leads → ventas',
  revenueColumn: 'Ingresos',
  noCampaign: 'Sin campaña',
  other: 'Todas las demás',
  csv: 'Descargar CSV',
  emptyTitle: 'Sin clics en este período',
  empty:
    'Elige un período más largo. Si la cuenta es nueva: usa la URL de una landing page en un anuncio, y el primer clic aparece aquí.',
  emptyAction: 'Ver los últimos 90 días',
  noRows: 'Nada en este período.',
  onlyPage: (page) => `Página: ${page}`,
  onlyCampaign: (campaign) => `Campaña: ${campaign}`,
};

const overviewPt: OverviewTexts = {
  title: 'Resumo',
  intro: 'Quanto os cliques desta conta renderam, e se cada venda foi entregue.',
  measures: { leads: 'Leads', clients: 'Clientes', conversions: 'Conversões' },
  revenue: (currency) => `Receita ${currency}`,
  shareOf: { leads: (share) => `${share} dos leads`, clients: (share) => `${share} dos clientes` },
  refunded: (amount) => `${amount} devolvidos`,
  noneBefore: 'antes nenhum',
  byDay: (measure) => `${measure} por dia`,
  now: (days) => days,
  before: (days) => `Antes: ${days}`,
  health: 'Saúde das entregas',
  healthEmpty: 'Nenhuma entrega neste período. Cada conversão é entregue a todas as conexões ativas da conta.',
  delivered: 'Entregues',
  failed: 'Com falha',
  skipped: 'Ignoradas',
  pending: 'Pendentes',
  seeLost: 'Ver o que não foi entregue',
  breakdowns: { page: 'Páginas', campaign: 'Campanhas', day: 'Dias' },
  names: { page: 'Página', campaign: 'Campanha', day: 'Dia' },
  rate: 'Leads → vendas',
  revenueColumn: 'Receita',
  noCampaign: 'Sem campanha',
  other: 'Todas as outras',
  csv: 'Baixar CSV',
  emptyTitle: 'Nenhum clique neste período',
  empty:
    'Escolha um período maior. Se a conta é nova: use a URL de uma landing page em um anúncio, e o primeiro clique aparece aqui.',
  emptyAction: 'Ver os últimos 90 dias',
  noRows: 'Nada neste período.',
  onlyPage: (page) => `Página: ${page}`,
  onlyCampaign: (campaign) => `Campanha: ${campaign}`,
};

export const overviewTexts: Texts<OverviewTexts> = { en: overviewEn, es: overviewEs, pt: overviewPt };
