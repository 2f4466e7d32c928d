import type { Task, UndeliveredGroup } from '../../../src/contract/undelivered.ts';
import type { Texts } from '../../text/language.tsx';

interface UndeliveredTexts {
  readonly title: string;
  readonly intro: string;
  readonly total: (deliveries: string) => string;
  readonly states: Readonly<Record<UndeliveredGroup['state'], string>>;
  readonly connectionStates: Readonly<Record<Exclude<UndeliveredGroup['connectionState'], 'active'>, string>>;
  readonly connection: (id: number) => string;
  readonly columns: Readonly<Record<'reason' | 'deliveries' | 'conversions' | 'money' | 'action', string>>;
  readonly otherReason: string;
  readonly platformWords: string;
  readonly showDeliveries: string;
  readonly retry: string;
  readonly retryAll: string;
  readonly mayNotRetry: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyAction: string;
  readonly waiting: string;
  readonly waitingText: (deliveries: string) => string;
  readonly partial: string;
  readonly orMore: (count: string) => string;
  readonly soFar: (done: string) => string;
  readonly dialogTitle: string;
  readonly everything: string;
  readonly since: (connection: number, delivery: number) => string;
  readonly dialogText: (deliveries: string, conversions: string) => string;
  readonly held: (deliveries: string) => string;
  readonly nothing: string;
  readonly nothingHeld: string;
  readonly confirm: (deliveries: string, money: string) => string;
  readonly started: string;
  readonly tasks: string;
  readonly taskStates: Readonly<Record<Task['state'], string>>;
  readonly progress: (done: string, total: string) => string;
  readonly by: (person: string) => string;
  readonly finished: (done: string) => string;
}

const undeliveredEn: UndeliveredTexts = {
  title: 'Undelivered',
  intro: 'Deliveries that ended without success: what was lost, why, and how to send it again.',
  total: (deliveries) => `Not delivered: ${deliveries}`,
  states: { failed: 'Failed', skipped: 'Skipped', delivered: 'Problem reported later' },
  connectionStates: { paused: 'Connection paused', needs_attention: 'Connection needs attention' },
  connection: (id) => `connection ${id}`,
  columns: {
    reason: 'Reason',
    deliveries: 'Deliveries',
    conversions: 'Conversions',
    money: 'Amount',
    action: 'Action',
  },
  otherReason: 'Other reasons',
  platformWords: "In the platform's words",
  showDeliveries: 'Show deliveries',
  retry: 'Retry…',
  retryAll: 'Retry all…',
  mayNotRetry: 'Your role may read, but not retry. Ask an operator.',
  emptyTitle: 'Everything was delivered',
  empty:
    'No delivery of this account failed or was skipped. If one does, it appears here with its reason and its amount.',
  emptyAction: 'See all deliveries',
  waiting: 'Still in progress',
  waitingText: (deliveries) =>
    `${deliveries} pending: they are sent or retried automatically, you need not do anything.`,
  partial: 'at least',
  orMore: (count) => `${count} or more`,
  soFar: (done) => `${done} so far`,
  dialogTitle: 'Retry deliveries',
  everything: 'All that was not delivered',
  since: (connection, delivery) => `Connection ${connection}: all that was not delivered since delivery ${delivery}`,
  dialogText: (deliveries, conversions) =>
    `${deliveries} deliveries of ${conversions} conversions are sent to their platforms again. What was delivered in the meantime is left out.`,
  held: (deliveries) =>
    `${deliveries} more stay as they are: their connection is paused or needs attention. Resume it first.`,
  nothing: 'There is nothing to retry: it was delivered or retried in the meantime.',
  nothingHeld: 'Nothing can be sent while the connection is paused or needs attention. Resume it first.',
  confirm: (deliveries, money) => (money === '' ? `Retry ${deliveries}` : `Retry ${deliveries} · ${money}`),
  started: 'Retry started. You can leave this page.',
  tasks: 'Retries',
  taskStates: { running: 'Running', done: 'Done', failed: 'Failed' },
  progress: (done, total) => `${done} of ${total}`,
  by: (person) => `by ${person}`,
  finished: (done) => `Retry finished: ${done} deliveries are pending again.`,
};

const undeliveredEs: UndeliveredTexts = {
  title: 'Sin entregar',
  intro: 'Entregas que terminaron sin éxito: qué se perdió, por qué, y cómo enviarlo otra vez.',
  total: (deliveries) => `Sin entregar: ${deliveries}`,
  states: { failed: 'Fallidas', skipped: 'Omitidas', delivered: 'Problema informado después' },
  connectionStates: { paused: 'Conexión en pausa', needs_attention: 'La conexión necesita atención' },
  connection: (id) => `conexión ${id}`,
  columns: {
    reason: 'Motivo',
    deliveries: 'Entregas',
    conversions: 'Conversiones',
    money: 'Importe',
    action: 'Acción',
  },
  otherReason: 'Otros motivos',
  platformWords: 'En palabras de la plataforma',
  showDeliveries: 'Ver entregas',
  retry: 'Reintentar…',
  retryAll: 'Reintentar todo…',
  mayNotRetry: 'Tu rol puede leer, pero no reintentar. Pídelo a un operador.',
  emptyTitle: 'Todo fue entregado',
  empty: 'Ninguna entrega de esta cuenta falló ni fue omitida. Si ocurre, aparece aquí con su motivo y su importe.',
  emptyAction: 'Ver todas las entregas',
  waiting: 'En curso',
  waitingText: (deliveries) =>
    `${deliveries} pendientes: se envían o reintentan automáticamente, no tienes que hacer nada.`,
  partial: 'al menos',
  orMore: (count) => `${count} o más`,
  soFar: (done) => `${done} hasta ahora`,
  dialogTitle: 'Reintentar entregas',
  everything: 'Todo lo que no se entregó',
  since: (connection, delivery) => `Conexión ${connection}: todo lo que no se entregó desde la entrega ${delivery}`,
  dialogText: (deliveries, conversions) =>
    `${deliveries} entregas de ${conversions} conversiones se envían otra vez a sus plataformas. Lo que se entregó mientras tanto queda fuera.`,
  held: (deliveries) =>
    `${deliveries} más quedan como están: su conexión está en pausa o necesita atención. Reanúdala primero.`,
  nothing: 'No hay nada que reintentar: se entregó o se reintentó mientras tanto.',
  nothingHeld: 'No se puede enviar nada mientras la conexión esté en pausa o necesite atención. Reanúdala primero.',
  confirm: (deliveries, money) => (money === '' ? `Reintentar ${deliveries}` : `Reintentar ${deliveries} · ${money}`),
  started: 'El reintento empezó. Puedes salir de esta página.',
  tasks: 'Reintentos',
  taskStates: { running: 'En curso', done: 'Terminado', failed: 'Falló' },
  progress: (done, total) => `${done} de ${total}`,
  by: (person) => `por ${person}`,
  finished: (done) => `Reintento terminado: ${done} entregas están pendientes otra vez.`,
};

const undeliveredPt: UndeliveredTexts = {
  title: 'Não entregues',
  intro: 'Entregas que terminaram sem sucesso: o que se perdeu, por quê, e como enviar de novo.',
  total: (deliveries) => `Não entregues: ${deliveries}`,
  states: { failed: 'Com falha', skipped: 'Ignoradas', delivered: 'Problema informado depois' },
  connectionStates: { paused: 'Conexão pausada', needs_attention: 'A conexão precisa de atenção' },
  connection: (id) => `conexão ${id}`,
  columns: { reason: 'Motivo', deliveries: 'Entregas', conversions: 'Conversões', money: 'Valor', action: 'Ação' },
  otherReason: 'Outros motivos',
  platformWords: 'Nas palavras da plataforma',
  showDeliveries: 'Ver entregas',
  retry: 'Reenviar…',
  retryAll: 'Reenviar tudo…',
  mayNotRetry: 'Seu papel pode ler, mas não reenviar. Peça a um operador.',
  emptyTitle: 'Tudo foi entregue',
  empty: 'Nenhuma entrega desta conta falhou ou foi ignorada. Se acontecer, aparece aqui com o motivo e o valor.',
  emptyAction: 'Ver todas as entregas',
  waiting: 'Em andamento',
  waitingText: (deliveries) =>
    `${deliveries} pendentes: são enviadas ou reenviadas automaticamente, você não precisa fazer nada.`,
  partial: 'pelo menos',
  orMore: (count) => `${count} ou mais`,
  soFar: (done) => `${done} até agora`,
  dialogTitle: 'Reenviar entregas',
  everything: 'Tudo o que não foi entregue',
  since: (connection, delivery) => `Conexão ${connection}: tudo o que não foi entregue desde a entrega ${delivery}`,
  dialogText: (deliveries, conversions) =>
    `${deliveries} entregas de ${conversions} conversões são enviadas de novo às suas plataformas. O que foi entregue nesse meio-tempo fica de fora.`,
  held: (deliveries) =>
    `Mais ${deliveries} ficam como estão: a conexão está pausada ou precisa de atenção. Retome-a primeiro.`,
  nothing: 'Não há nada para reenviar: foi entregue ou reenviado nesse meio-tempo.',
  nothingHeld: 'Nada pode ser enviado enquanto a conexão está pausada ou precisa de atenção. Retome-a primeiro.',
  confirm: (deliveries, money) => (money === '' ? `Reenviar ${deliveries}` : `Reenviar ${deliveries} · ${money}`),
  started: 'O reenvio começou. Você pode sair desta página.',
  tasks: 'Reenvios',
  taskStates: { running: 'Em andamento', done: 'Concluído', failed: 'Falhou' },
  progress: (done, total) => `${done} de ${total}`,
  by: (person) => `por ${person}`,
  finished: (done) => `Reenvio concluído: ${done} entregas estão pendentes de novo.`,
};

export const undeliveredTexts: Texts<UndeliveredTexts> = {
  en: undeliveredEn,
  es: undeliveredEs,
  pt: undeliveredPt,
};
