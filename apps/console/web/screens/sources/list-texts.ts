import type { Texts } from '../../text/language.tsx';

const en = {
  title: 'What comes in',
  intro: 'Shops and services that send their paid orders, refunds and cancellations.',
  add: 'Add a source',
  empty:
    'Connect your shop or payment service: paid orders, refunds and cancellations arrive by themselves, without code.',
  emptyMayNot:
    'Ask an operator to connect your shop or payment service: paid orders, refunds and cancellations then arrive by themselves.',
  source: (id: number) => `source ${id}`,
  columns: {
    source: 'Source',
    state: 'State',
    share: 'Sales with a click',
    last: 'Last message',
    failed: 'Failed',
    waiting: 'Waiting',
  },
  health: {
    active: 'Active',
    first: 'Waiting for the first message',
    silent: 'Nothing for 30 days',
    paused: 'Paused',
    refused: 'Refused',
    unsigned: 'Wrong signature',
  },
  noSales: 'No sales yet',
  shareOf: (share: string, sales: string) => `${share} of ${sales}`,
  never: 'none yet',
};

const es: typeof en = {
  title: 'Lo que entra',
  intro: 'Tiendas y servicios que envían sus pedidos pagados, devoluciones y cancelaciones.',
  add: 'Añadir una fuente',
  empty:
    'Conecta tu tienda o servicio de pagos: los pedidos pagados, las devoluciones y las cancelaciones llegan solos, sin código.',
  emptyMayNot:
    'Pide a un operador que conecte tu tienda o servicio de pagos: los pedidos pagados, las devoluciones y las cancelaciones llegan entonces solos.',
  source: (id) => `fuente ${id}`,
  columns: {
    source: 'Fuente',
    state: 'Estado',
    share: 'Ventas con clic',
    last: 'Último mensaje',
    failed: 'Fallidos',
    waiting: 'En espera',
  },
  health: {
    active: 'Activa',
    first: 'Espera el primer mensaje',
    silent: 'Nada en 30 días',
    paused: 'En pausa',
    refused: 'Rechazada',
    unsigned: 'Firma incorrecta',
  },
  noSales: 'Aún sin ventas',
  shareOf: (share, sales) => `${share} de ${sales}`,
  never: 'ninguno aún',
};

const pt: typeof en = {
  title: 'O que entra',
  intro: 'Lojas e serviços que enviam seus pedidos pagos, reembolsos e cancelamentos.',
  add: 'Adicionar uma fonte',
  empty:
    'Conecte a sua loja ou serviço de pagamento: pedidos pagos, reembolsos e cancelamentos chegam sozinhos, sem código.',
  emptyMayNot:
    'Peça a um operador que conecte a sua loja ou serviço de pagamento: pedidos pagos, reembolsos e cancelamentos então chegam sozinhos.',
  source: (id) => `fonte ${id}`,
  columns: {
    source: 'Fonte',
    state: 'Estado',
    share: 'Vendas com clique',
    last: 'Última mensagem',
    failed: 'Com falha',
    waiting: 'Em espera',
  },
  health: {
    active: 'Ativa',
    first: 'Espera a primeira mensagem',
    silent: 'Nada em 30 dias',
    paused: 'Em pausa',
    refused: 'Recusada',
    unsigned: 'Assinatura incorreta',
  },
  noSales: 'Nenhuma venda ainda',
  shareOf: (share, sales) => `${share} de ${sales}`,
  never: 'nenhuma ainda',
};

export const sourceListTexts: Texts<typeof en> = { en, es, pt };
