import type { Delivery, ReadDeliveryReply, RetryDeliveriesReply } from '../../../src/contract/deliveries.ts';
import type { Texts } from '../../text/language.tsx';

type Attempt = ReadDeliveryReply['attempts'][number];
type Left = RetryDeliveriesReply['left'][number];

interface DeliveriesTexts {
  readonly title: string;
  readonly intro: string;
  readonly states: Readonly<Record<Delivery['state'], string>>;
  readonly events: Readonly<Record<Delivery['event'], string>>;
  readonly outcomes: Readonly<Record<Attempt['outcome'], string>>;
  readonly columns: Readonly<
    Record<'select' | 'event' | 'platform' | 'state' | 'amount' | 'attempts' | 'created', string>
  >;
  readonly filters: string;
  readonly platform: string;
  readonly state: string;
  readonly conversion: string;
  readonly conversionHint: string;
  readonly any: string;
  readonly mode: string;
  readonly live: string;
  readonly test: string;
  readonly connection: (id: number) => string;
  readonly reason: (code: string) => string;
  readonly ofConversion: (id: number) => string;
  readonly only: (what: string) => string;
  readonly clear: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyFiltered: string;
  readonly searchOlder: string;
  readonly end: string;
  readonly select: (name: string) => string;
  readonly selected: (count: string) => string;
  readonly retry: string;
  readonly retrySince: string;
  readonly retrySelected: (count: string) => string;
  readonly retried: (count: string) => string;
  readonly left: Readonly<Record<Left['why'], string>>;
  readonly drawer: (id: string) => string;
  readonly previous: string;
  readonly next: string;
  readonly why: string;
  readonly details: string;
  readonly amountBefore: string;
  readonly was: (amount: string) => string;
  readonly occurred: string;
  readonly created: string;
  readonly closed: string;
  readonly nextAttempt: string;
  readonly note: string;
  readonly timeline: string;
  readonly noAttempts: string;
  readonly platformRequest: string;
  readonly response: string;
  readonly allOfConversion: string;
  readonly story: string;
  readonly sameReason: string;
  readonly canNotRetry: string;
}

const deliveriesEn: DeliveriesTexts = {
  title: 'Deliveries',
  intro: 'Each event and each platform that it was delivered to, newest first.',
  states: { pending: 'Pending', delivered: 'Delivered', failed: 'Failed', skipped: 'Skipped' },
  events: { conversion: 'Conversion', lead: 'Lead', restate: 'New amount', retract: 'Cancellation' },
  outcomes: {
    delivered: 'Delivered',
    rejected: 'Event rejected',
    unavailable: 'Platform unavailable',
    throttled: 'Throttled: the platform asked for fewer requests',
    refused: 'Connection rejected',
    requeued: 'Retry requested',
  },
  columns: {
    select: 'Select',
    event: 'Event',
    platform: 'Platform',
    state: 'State',
    amount: 'Amount',
    attempts: 'Attempts',
    created: 'Registered',
  },
  filters: 'Filters',
  platform: 'Platform',
  state: 'State',
  conversion: 'Conversion id',
  conversionHint: 'Find by conversion id',
  any: 'Any',
  mode: 'Mode',
  live: 'Live',
  test: 'Test',
  connection: (id) => `Connection ${id}`,
  reason: (code) => `Reason: ${code}`,
  ofConversion: (id) => `Conversion ${id}`,
  only: (what) => `Filter by this: ${what}`,
  clear: 'Clear all filters',
  emptyTitle: 'No deliveries',
  empty: 'Each conversion is delivered to every active connection of the account. Register one, and it appears here.',
  emptyFiltered: 'No delivery matches these filters. Remove one of them.',
  searchOlder: 'Search older deliveries',
  end: 'These are all.',
  select: (name) => `Select ${name}`,
  selected: (count) => `${count} selected`,
  retry: 'Retry',
  retrySince: 'Retry all since this one…',
  retrySelected: (count) => `Retry ${count}`,
  retried: (count) => `${count} pending again.`,
  left: {
    unknown: 'This delivery no longer exists.',
    delivered: 'It was delivered in the meantime: nothing was sent.',
    pending: 'It is pending already: it will be sent without a retry.',
    'connection-inactive': 'Its connection is paused or needs attention. Resume it first.',
    changed: 'It changed in the meantime. Look at it again.',
  },
  drawer: (id) => `Delivery ${id}`,
  previous: 'Previous delivery (k)',
  next: 'Next delivery (j)',
  why: 'Why it was not delivered',
  details: 'Details',
  amountBefore: 'Amount before',
  was: (amount) => `was ${amount}`,
  occurred: 'Occurred',
  created: 'Registered',
  closed: 'Ended',
  nextAttempt: 'Next attempt',
  note: 'Note',
  timeline: 'Attempts',
  noAttempts: 'No attempt yet.',
  platformRequest: 'Request of the platform',
  response: 'Response of the platform',
  allOfConversion: 'All deliveries of this conversion',
  story: 'The whole story of this conversion',
  sameReason: 'All with this reason',
  canNotRetry: 'A retry is not possible now.',
};

const deliveriesEs: DeliveriesTexts = {
  title: 'Entregas',
  intro: 'Cada evento y cada plataforma a la que se entregó, primero lo más nuevo.',
  states: { pending: 'Pendiente', delivered: 'Entregada', failed: 'Fallida', skipped: 'Omitida' },
  events: { conversion: 'Conversión', lead: 'Lead', restate: 'Importe nuevo', retract: 'Cancelación' },
  outcomes: {
    delivered: 'Entregada',
    rejected: 'Evento rechazado',
    unavailable: 'Plataforma no disponible',
    throttled: 'Limitada: la plataforma pidió menos solicitudes',
    refused: 'Conexión rechazada',
    requeued: 'Reintento pedido',
  },
  columns: {
    select: 'Elegir',
    event: 'Evento',
    platform: 'Plataforma',
    state: 'Estado',
    amount: 'Importe',
    attempts: 'Intentos',
    created: 'Registrada',
  },
  filters: 'Filtros',
  platform: 'Plataforma',
  state: 'Estado',
  conversion: 'Id de conversión',
  conversionHint: 'Buscar por id de conversión',
  any: 'Todos',
  mode: 'Modo',
  live: 'Real',
  test: 'Prueba',
  connection: (id) => `Conexión ${id}`,
  reason: (code) => `Motivo: ${code}`,
  ofConversion: (id) => `Conversión ${id}`,
  only: (what) => `Filtrar por esto: ${what}`,
  clear: 'Quitar todos los filtros',
  emptyTitle: 'Sin entregas',
  empty: 'Cada conversión se entrega a todas las conexiones activas de la cuenta. Registra una y aparece aquí.',
  emptyFiltered: 'Ninguna entrega cumple estos filtros. Quita uno de ellos.',
  searchOlder: 'Buscar entregas más antiguas',
  end: 'Estas son todas.',
  select: (name) => `Elegir ${name}`,
  selected: (count) => `${count} elegidas`,
  retry: 'Reintentar',
  retrySince: 'Reintentar todas desde esta…',
  retrySelected: (count) => `Reintentar ${count}`,
  retried: (count) => `${count} pendientes otra vez.`,
  left: {
    unknown: 'Esta entrega ya no existe.',
    delivered: 'Se entregó mientras tanto: no se envió nada.',
    pending: 'Ya está pendiente: se enviará sin reintento.',
    'connection-inactive': 'Su conexión está en pausa o necesita atención. Reanúdala primero.',
    changed: 'Cambió mientras tanto. Vuelve a mirarla.',
  },
  drawer: (id) => `Entrega ${id}`,
  previous: 'Entrega anterior (k)',
  next: 'Entrega siguiente (j)',
  why: 'Por qué no se entregó',
  details: 'Detalles',
  amountBefore: 'Importe anterior',
  was: (amount) => `antes ${amount}`,
  occurred: 'Ocurrió',
  created: 'Registrada',
  closed: 'Terminó',
  nextAttempt: 'Próximo intento',
  note: 'Nota',
  timeline: 'Intentos',
  noAttempts: 'Todavía sin intentos.',
  platformRequest: 'Solicitud de la plataforma',
  response: 'Respuesta de la plataforma',
  allOfConversion: 'Todas las entregas de esta conversión',
  story: 'La historia completa de esta conversión',
  sameReason: 'Todas con este motivo',
  canNotRetry: 'Ahora no se puede reintentar.',
};

const deliveriesPt: DeliveriesTexts = {
  title: 'Entregas',
  intro: 'Cada evento e cada plataforma a que foi entregue, primeiro os mais novos.',
  states: { pending: 'Pendente', delivered: 'Entregue', failed: 'Com falha', skipped: 'Ignorada' },
  events: { conversion: 'Conversão', lead: 'Lead', restate: 'Novo valor', retract: 'Cancelamento' },
  outcomes: {
    delivered: 'Entregue',
    rejected: 'Evento rejeitado',
    unavailable: 'Plataforma indisponível',
    throttled: 'Limitada: a plataforma pediu menos solicitações',
    refused: 'Conexão rejeitada',
    requeued: 'Reenvio pedido',
  },
  columns: {
    select: 'Selecionar',
    event: 'Evento',
    platform: 'Plataforma',
    state: 'Estado',
    amount: 'Valor',
    attempts: 'Tentativas',
    created: 'Registrada',
  },
  filters: 'Filtros',
  platform: 'Plataforma',
  state: 'Estado',
  conversion: 'Id da conversão',
  conversionHint: 'Buscar por id da conversão',
  any: 'Todos',
  mode: 'Modo',
  live: 'Real',
  test: 'Teste',
  connection: (id) => `Conexão ${id}`,
  reason: (code) => `Motivo: ${code}`,
  ofConversion: (id) => `Conversão ${id}`,
  only: (what) => `Filtrar por isto: ${what}`,
  clear: 'Remover todos os filtros',
  emptyTitle: 'Nenhuma entrega',
  empty: 'Cada conversão é entregue a todas as conexões ativas da conta. Registre uma, e ela aparece aqui.',
  emptyFiltered: 'Nenhuma entrega atende a estes filtros. Remova um deles.',
  searchOlder: 'Buscar entregas mais antigas',
  end: 'Estas são todas.',
  select: (name) => `Selecionar ${name}`,
  selected: (count) => `${count} selecionadas`,
  retry: 'Reenviar',
  retrySince: 'Reenviar todas desde esta…',
  retrySelected: (count) => `Reenviar ${count}`,
  retried: (count) => `${count} pendentes de novo.`,
  left: {
    unknown: 'Esta entrega não existe mais.',
    delivered: 'Foi entregue nesse meio-tempo: nada foi enviado.',
    pending: 'Já está pendente: será enviada sem reenvio.',
    'connection-inactive': 'A conexão está pausada ou precisa de atenção. Retome-a primeiro.',
    changed: 'Mudou nesse meio-tempo. Veja de novo.',
  },
  drawer: (id) => `Entrega ${id}`,
  previous: 'Entrega anterior (k)',
  next: 'Próxima entrega (j)',
  why: 'Por que não foi entregue',
  details: 'Detalhes',
  amountBefore: 'Valor anterior',
  was: (amount) => `antes ${amount}`,
  occurred: 'Ocorreu',
  created: 'Registrada',
  closed: 'Terminou',
  nextAttempt: 'Próxima tentativa',
  note: 'Nota',
  timeline: 'Tentativas',
  noAttempts: 'Ainda sem tentativas.',
  platformRequest: 'Solicitação da plataforma',
  response: 'Resposta da plataforma',
  allOfConversion: 'Todas as entregas desta conversão',
  story: 'A história completa desta conversão',
  sameReason: 'Todas com este motivo',
  canNotRetry: 'Não é possível reenviar agora.',
};

export const deliveriesTexts: Texts<DeliveriesTexts> = { en: deliveriesEn, es: deliveriesEs, pt: deliveriesPt };

const en = {
  title: 'What the platform would be told now',
  intro: 'Built with the data and settings of now. Nothing is sent.',
  show: 'Show the payload',
  masked: 'Personal data are masked here, also where they are hashed. The platform gets them in full.',
  held: 'It would not be sent now:',
  early: (time: string) => `It occurs later: it will be sent after ${time}.`,
  skipped: 'Nothing would be sent:',
  unusable: 'It cannot be built. Fix the connection first:',
};

const es: typeof en = {
  title: 'Qué se le diría ahora a la plataforma',
  intro: 'Se arma con los datos y ajustes de ahora. No se envía nada.',
  show: 'Mostrar el contenido',
  masked: 'Aquí los datos personales están ocultos, también los que van como hash. La plataforma los recibe completos.',
  held: 'Ahora no se enviaría:',
  early: (time) => `Ocurre más tarde: se enviará después de ${time}.`,
  skipped: 'No se enviaría nada:',
  unusable: 'No se puede armar. Primero corrige la conexión:',
};

const pt: typeof en = {
  title: 'O que seria enviado agora à plataforma',
  intro: 'Montado com os dados e ajustes de agora. Nada é enviado.',
  show: 'Mostrar o conteúdo',
  masked: 'Aqui os dados pessoais ficam ocultos, também os enviados como hash. A plataforma os recebe completos.',
  held: 'Agora não seria enviado:',
  early: (time) => `Ocorre mais tarde: será enviado depois de ${time}.`,
  skipped: 'Nada seria enviado:',
  unusable: 'Não é possível montar. Primeiro corrija a conexão:',
};

export const payloadTexts: Texts<typeof en> = { en, es, pt };
