import type { CheckReply, Connection } from '../../../src/contract/connections.ts';
import type { Texts } from '../../text/language.tsx';

type EventKind = Connection['eventKinds'][number];
export type Health = 'active' | 'retrying' | 'unavailable' | 'paused' | 'rejected';
type Named<Key extends string> = Readonly<Record<Key, string>>;

interface ConnectionTexts {
  readonly title: string;
  readonly intro: string;
  readonly connect: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyMayNot: string;
  readonly columns: Named<'connection' | 'state' | 'recent' | 'delivered' | 'failed' | 'waiting'>;
  readonly connection: (id: number) => string;
  readonly health: Named<Health>;
  readonly healthTexts: Named<Exclude<Health, 'active'>>;
  readonly noConversions: string;
  readonly deliveredOf: (delivered: string, all: string) => string;
  readonly rejected: (platform: string, id: number) => string;
  readonly heldBack: (deliveries: string) => string;
  readonly fix: string;
  readonly mayNotFix: string;
  readonly newTitle: string;
  readonly newIntro: string;
  readonly steps: Named<'platform' | 'settings' | 'check'>;
  readonly settings: string;
  readonly credentials: string;
  readonly credentialsHelp: string;
  readonly kind: string;
  readonly optional: string;
  readonly none: string;
  readonly isSet: string;
  readonly replace: string;
  readonly keep: string;
  readonly removes: string;
  readonly notAKey: string;
  readonly events: string;
  readonly eventNames: Named<EventKind>;
  readonly eventHelp: Named<EventKind>;
  readonly noEvent: string;
  readonly names: string;
  readonly namesHelp: string;
  readonly theirName: string;
  readonly platformName: (name: string) => string;
  readonly removeName: string;
  readonly addName: string;
  readonly outcomes: Named<CheckReply['outcome']>;
  readonly outcomeTexts: Readonly<Record<CheckReply['outcome'], (platform: string) => string>>;
  readonly answer: string;
  readonly connectNow: string;
  readonly connectAnyway: string;
  readonly backToSettings: string;
  readonly backToPlatforms: string;
  readonly checkNow: string;
  readonly checkAgain: string;
  readonly activate: (platform: string) => string;
  readonly connected: string;
  readonly wrongFields: (fields: number) => string;
  readonly toList: string;
  readonly created: string;
  readonly seeDeliveries: string;
  readonly held: (corrections: string) => string;
  readonly nextAttempt: string;
  readonly sendTest: string;
  readonly pause: string;
  readonly pauseTitle: string;
  readonly pauseWaiting: (deliveries: string) => string;
  readonly pauseLoses: string;
  readonly paused: (deliveries: string) => string;
  readonly resume: string;
  readonly resumeAndSend: (deliveries: string) => string;
  readonly resumed: (deliveries: string) => string;
  readonly mayNotChange: string;
  readonly saved: string;
  readonly savedInactive: string;
  readonly unreadable: string;
  readonly conflict: string;
  readonly maybeReplaced: string;
  readonly seen: string;
  readonly save: string;
  readonly discard: string;
}

const connectionEn: ConnectionTexts = {
  title: 'Connections',
  intro: 'Where conversions are reported, and whether they arrive.',
  connect: 'Connect a platform',
  emptyTitle: 'No platform is connected',
  empty: 'Connect Meta, Google Ads or another platform. Conversions are reported there from then on.',
  emptyMayNot: 'Ask an operator to connect a platform. Conversions are reported there from then on.',
  columns: {
    connection: 'Connection',
    state: 'State',
    recent: 'Latest conversions',
    delivered: 'Last delivered',
    failed: 'Failed in 24 h',
    waiting: 'Pending',
  },
  connection: (id) => `connection ${id}`,
  health: {
    active: 'Active',
    retrying: 'Retrying',
    unavailable: 'Platform unavailable',
    paused: 'Paused',
    rejected: 'Rejected',
  },
  healthTexts: {
    retrying: 'Some deliveries were not accepted and are retried automatically.',
    unavailable:
      'The platform fails or limits requests. Nothing is sent for a moment; then it is retried automatically.',
    paused: 'Nothing is sent. Conversions registered meanwhile are never reported over this connection.',
    rejected: 'The platform rejects the connection. Pending deliveries wait until you fix and resume it.',
  },
  noConversions: 'No conversions yet',
  deliveredOf: (delivered, all) => `${delivered} of ${all} delivered`,
  rejected: (platform, id) => `${platform} rejects connection ${id}`,
  heldBack: (deliveries) => `Pending deliveries that wait for it: ${deliveries}`,
  fix: 'Fix the connection',
  mayNotFix: 'Ask an operator to fix it.',
  newTitle: 'Connect a platform',
  newIntro: 'Nothing is stored or reported before the last step.',
  steps: { platform: 'Platform', settings: 'Settings', check: 'Test event' },
  settings: 'Settings',
  credentials: 'Credentials',
  credentialsHelp: 'They are stored encrypted and never shown again.',
  kind: 'Kind of credentials',
  optional: 'optional',
  none: 'none',
  isSet: 'set',
  replace: 'Replace',
  keep: 'Cancel',
  removes: 'Left empty, it is removed when you save.',
  notAKey: 'This is not the JSON file of a key. Choose the file as the platform saved it.',
  events: 'Events',
  eventNames: { conversion: 'Conversions', lead: 'Leads' },
  eventHelp: {
    conversion: 'Sales, and corrections of them where the platform takes them.',
    lead: 'Each client that is registered from now on, without an amount.',
  },
  noEvent: 'Choose at least one event.',
  names: 'Other names for conversions',
  namesHelp:
    'If a partner sends an eventName with a conversion, report it under another name or conversion action of the platform.',
  theirName: 'eventName of the partner',
  platformName: (name) => `What the platform calls ${name === '' ? 'it' : name}`,
  removeName: 'Remove',
  addName: 'Add a name',
  outcomes: {
    delivered: 'Accepted',
    rejected: 'Event rejected',
    refused: 'Connection rejected',
    throttled: 'Limited',
    unavailable: 'Unavailable',
    postponed: 'Not sent',
  },
  outcomeTexts: {
    delivered: (platform) => `${platform} accepted a test event, which does not count as a conversion.`,
    rejected: (platform) => `${platform} accepts the connection but rejected the test event.`,
    refused: (platform) => `${platform} rejects the connection. Correct what it names, then check again.`,
    throttled: (platform) => `${platform} limits requests now. Check again in a few minutes.`,
    unavailable: (platform) => `${platform} did not respond as it should. Check again in a few minutes.`,
    postponed: (platform) => `The quota of requests to ${platform} is used up for now. Check again in a few minutes.`,
  },
  answer: "The platform's answer",
  connectNow: 'Conversions registered from now on are reported there.',
  connectAnyway: 'You can connect nevertheless: deliveries are retried, or wait until you fix the connection.',
  backToSettings: 'Settings',
  backToPlatforms: 'Platforms',
  checkNow: 'Send a test event',
  checkAgain: 'Send again',
  activate: (platform) => `Connect ${platform}`,
  connected: 'Connected. Conversions are reported from now on.',
  wrongFields: (fields) =>
    fields === 1 ? 'Correct the field that is marked.' : `Correct the ${fields} marked fields.`,
  toList: 'All connections',
  created: 'Connected',
  seeDeliveries: 'See its deliveries',
  held: (corrections) => `Corrections that wait until their conversion is confirmed: ${corrections}`,
  nextAttempt: 'Next attempt:',
  sendTest: 'Send a test event',
  pause: 'Pause',
  pauseTitle: 'Pause the connection',
  pauseWaiting: (deliveries) => `Pending deliveries that wait until you resume it: ${deliveries}.`,
  pauseLoses: 'Conversions registered while it is paused are never reported over it, also not later.',
  paused: (deliveries) => `Paused. Pending deliveries: ${deliveries}.`,
  resume: 'Resume',
  resumeAndSend: (deliveries) => `Resume and send ${deliveries}`,
  resumed: (deliveries) => `Resumed. Deliveries that are sent now: ${deliveries}.`,
  mayNotChange: 'Your role may read, but not change connections. Ask an operator.',
  saved: 'Saved. All that is not sent yet is sent with these settings.',
  savedInactive: 'Saved. Resume the connection to send what waits.',
  unreadable: 'The credentials cannot be decrypted with the keys of this server. Enter all of them again.',
  conflict: 'Somebody else changed this connection in the meantime. Nothing of yours was saved. It is now:',
  maybeReplaced: 'replaced',
  seen: 'Continue with these values',
  save: 'Save',
  discard: 'Discard changes',
};

const connectionEs: ConnectionTexts = {
  title: 'Conexiones',
  intro: 'Dónde se informan las conversiones, y si llegan.',
  connect: 'Conectar una plataforma',
  emptyTitle: 'No hay ninguna plataforma conectada',
  empty: 'Conecta Meta, Google Ads u otra plataforma. Desde ese momento se informan allí las conversiones.',
  emptyMayNot: 'Pide a un operador que conecte una plataforma. Desde ese momento se informan allí las conversiones.',
  columns: {
    connection: 'Conexión',
    state: 'Estado',
    recent: 'Últimas conversiones',
    delivered: 'Última entrega',
    failed: 'Fallidas en 24 h',
    waiting: 'Pendientes',
  },
  connection: (id) => `conexión ${id}`,
  health: {
    active: 'Activa',
    retrying: 'Reintentando',
    unavailable: 'Plataforma no disponible',
    paused: 'En pausa',
    rejected: 'Rechazada',
  },
  healthTexts: {
    retrying: 'Algunas entregas no fueron aceptadas y se reintentan automáticamente.',
    unavailable:
      'La plataforma falla o limita las solicitudes. No se envía nada por un momento; después se reintenta automáticamente.',
    paused: 'No se envía nada. Las conversiones registradas mientras tanto nunca se informan por esta conexión.',
    rejected: 'La plataforma rechaza la conexión. Las entregas pendientes esperan hasta que la corrijas y la reanudes.',
  },
  noConversions: 'Todavía sin conversiones',
  deliveredOf: (delivered, all) => `${delivered} de ${all} entregadas`,
  rejected: (platform, id) => `${platform} rechaza la conexión ${id}`,
  heldBack: (deliveries) => `Entregas pendientes que la esperan: ${deliveries}`,
  fix: 'Corregir la conexión',
  mayNotFix: 'Pide a un operador que la corrija.',
  newTitle: 'Conectar una plataforma',
  newIntro: 'Nada se guarda ni se informa antes del último paso.',
  steps: { platform: 'Plataforma', settings: 'Ajustes', check: 'Evento de prueba' },
  settings: 'Ajustes',
  credentials: 'Credenciales',
  credentialsHelp: 'Se guardan cifradas y no se vuelven a mostrar.',
  kind: 'Tipo de credenciales',
  optional: 'opcional',
  none: 'ninguno',
  isSet: 'definido',
  replace: 'Reemplazar',
  keep: 'Cancelar',
  removes: 'Si lo dejas vacío, se elimina al guardar.',
  notAKey: 'No es el archivo JSON de una clave. Elige el archivo tal como lo guardó la plataforma.',
  events: 'Eventos',
  eventNames: { conversion: 'Conversiones', lead: 'Leads' },
  eventHelp: {
    conversion: 'Ventas, y sus correcciones donde la plataforma las acepta.',
    lead: 'Cada cliente que se registra desde ahora, sin importe.',
  },
  noEvent: 'Elige al menos un evento.',
  names: 'Otros nombres de conversiones',
  namesHelp:
    'Si un socio envía un eventName con una conversión, infórmala con otro nombre u otra acción de conversión de la plataforma.',
  theirName: 'eventName del socio',
  platformName: (name) => `Cómo lo llama la plataforma${name === '' ? '' : `: ${name}`}`,
  removeName: 'Quitar',
  addName: 'Añadir un nombre',
  outcomes: {
    delivered: 'Aceptado',
    rejected: 'Evento rechazado',
    refused: 'Conexión rechazada',
    throttled: 'Limitado',
    unavailable: 'No disponible',
    postponed: 'No enviado',
  },
  outcomeTexts: {
    delivered: (platform) => `${platform} aceptó un evento de prueba, que no cuenta como conversión.`,
    rejected: (platform) => `${platform} acepta la conexión, pero rechazó el evento de prueba.`,
    refused: (platform) => `${platform} rechaza la conexión. Corrige lo que indica y prueba otra vez.`,
    throttled: (platform) => `${platform} limita ahora las solicitudes. Prueba otra vez en unos minutos.`,
    unavailable: (platform) => `${platform} no respondió como debe. Prueba otra vez en unos minutos.`,
    postponed: (platform) => `La cuota de solicitudes a ${platform} está agotada por ahora. Prueba en unos minutos.`,
  },
  answer: 'Respuesta de la plataforma',
  connectNow: 'Las conversiones que se registren desde ahora se informan allí.',
  connectAnyway:
    'Puedes conectar de todos modos: las entregas se reintentan, o esperan hasta que corrijas la conexión.',
  backToSettings: 'Ajustes',
  backToPlatforms: 'Plataformas',
  checkNow: 'Enviar un evento de prueba',
  checkAgain: 'Enviar otra vez',
  activate: (platform) => `Conectar ${platform}`,
  connected: 'Conectada. Las conversiones se informan desde ahora.',
  wrongFields: (fields) => (fields === 1 ? 'Corrige el campo marcado.' : `Corrige los ${fields} campos marcados.`),
  toList: 'Todas las conexiones',
  created: 'Conectada el',
  seeDeliveries: 'Ver sus entregas',
  held: (corrections) => `Correcciones que esperan a que se confirme su conversión: ${corrections}`,
  nextAttempt: 'Próximo intento:',
  sendTest: 'Enviar un evento de prueba',
  pause: 'Pausar',
  pauseTitle: 'Pausar la conexión',
  pauseWaiting: (deliveries) => `Entregas pendientes que esperan hasta que la reanudes: ${deliveries}.`,
  pauseLoses: 'Las conversiones registradas durante la pausa nunca se informan por ella, tampoco después.',
  paused: (deliveries) => `En pausa. Entregas pendientes: ${deliveries}.`,
  resume: 'Reanudar',
  resumeAndSend: (deliveries) => `Reanudar y enviar ${deliveries}`,
  resumed: (deliveries) => `Reanudada. Entregas que se envían ahora: ${deliveries}.`,
  mayNotChange: 'Tu rol puede leer conexiones, pero no cambiarlas. Pídelo a un operador.',
  saved: 'Guardado. Todo lo que aún no se envió se envía con estos ajustes.',
  savedInactive: 'Guardado. Reanuda la conexión para enviar lo que espera.',
  unreadable: 'Las credenciales no se pueden descifrar con las claves de este servidor. Ingrésalas todas otra vez.',
  conflict: 'Otra persona cambió esta conexión mientras tanto. No se guardó nada de lo tuyo. Ahora es:',
  maybeReplaced: 'reemplazadas',
  seen: 'Continuar con estos valores',
  save: 'Guardar',
  discard: 'Descartar cambios',
};

const connectionPt: ConnectionTexts = {
  title: 'Conexões',
  intro: 'Onde as conversões são informadas, e se chegam.',
  connect: 'Conectar uma plataforma',
  emptyTitle: 'Nenhuma plataforma está conectada',
  empty: 'Conecte Meta, Google Ads ou outra plataforma. A partir daí as conversões são informadas lá.',
  emptyMayNot: 'Peça a um operador que conecte uma plataforma. A partir daí as conversões são informadas lá.',
  columns: {
    connection: 'Conexão',
    state: 'Estado',
    recent: 'Últimas conversões',
    delivered: 'Última entrega',
    failed: 'Falhas em 24 h',
    waiting: 'Pendentes',
  },
  connection: (id) => `conexão ${id}`,
  health: {
    active: 'Ativa',
    retrying: 'Tentando de novo',
    unavailable: 'Plataforma indisponível',
    paused: 'Em pausa',
    rejected: 'Rejeitada',
  },
  healthTexts: {
    retrying: 'Algumas entregas não foram aceitas e são repetidas automaticamente.',
    unavailable:
      'A plataforma falha ou limita as solicitações. Nada é enviado por um momento; depois tudo é repetido automaticamente.',
    paused: 'Nada é enviado. As conversões registradas enquanto isso nunca são informadas por esta conexão.',
    rejected: 'A plataforma rejeita a conexão. As entregas pendentes esperam até você corrigir e retomar a conexão.',
  },
  noConversions: 'Ainda sem conversões',
  deliveredOf: (delivered, all) => `${delivered} de ${all} entregues`,
  rejected: (platform, id) => `${platform} rejeita a conexão ${id}`,
  heldBack: (deliveries) => `Entregas pendentes que esperam por ela: ${deliveries}`,
  fix: 'Corrigir a conexão',
  mayNotFix: 'Peça a um operador que a corrija.',
  newTitle: 'Conectar uma plataforma',
  newIntro: 'Nada é salvo nem informado antes do último passo.',
  steps: { platform: 'Plataforma', settings: 'Configurações', check: 'Evento de teste' },
  settings: 'Configurações',
  credentials: 'Credenciais',
  credentialsHelp: 'São armazenadas criptografadas e não são mostradas de novo.',
  kind: 'Tipo de credenciais',
  optional: 'opcional',
  none: 'nenhum',
  isSet: 'definido',
  replace: 'Substituir',
  keep: 'Cancelar',
  removes: 'Se ficar vazio, é removido ao salvar.',
  notAKey: 'Este não é o arquivo JSON de uma chave. Escolha o arquivo como a plataforma o salvou.',
  events: 'Eventos',
  eventNames: { conversion: 'Conversões', lead: 'Leads' },
  eventHelp: {
    conversion: 'Vendas, e suas correções onde a plataforma as aceita.',
    lead: 'Cada cliente registrado a partir de agora, sem valor.',
  },
  noEvent: 'Escolha pelo menos um evento.',
  names: 'Outros nomes de conversões',
  namesHelp:
    'Se um parceiro enviar um eventName com uma conversão, informe-a com outro nome ou outra ação de conversão da plataforma.',
  theirName: 'eventName do parceiro',
  platformName: (name) => `Como a plataforma o chama${name === '' ? '' : `: ${name}`}`,
  removeName: 'Remover',
  addName: 'Adicionar um nome',
  outcomes: {
    delivered: 'Aceito',
    rejected: 'Evento rejeitado',
    refused: 'Conexão rejeitada',
    throttled: 'Limitado',
    unavailable: 'Indisponível',
    postponed: 'Não enviado',
  },
  outcomeTexts: {
    delivered: (platform) => `${platform} aceitou um evento de teste, que não conta como conversão.`,
    rejected: (platform) => `${platform} aceita a conexão, mas rejeitou o evento de teste.`,
    refused: (platform) => `${platform} rejeita a conexão. Corrija o que ela indica e teste de novo.`,
    throttled: (platform) => `${platform} limita as solicitações agora. Teste de novo em alguns minutos.`,
    unavailable: (platform) => `${platform} não respondeu como deveria. Teste de novo em alguns minutos.`,
    postponed: (platform) => `A cota de solicitações a ${platform} acabou por enquanto. Teste em alguns minutos.`,
  },
  answer: 'Resposta da plataforma',
  connectNow: 'As conversões registradas a partir de agora são informadas lá.',
  connectAnyway: 'Você pode conectar mesmo assim: as entregas são repetidas, ou esperam até você corrigir a conexão.',
  backToSettings: 'Configurações',
  backToPlatforms: 'Plataformas',
  checkNow: 'Enviar um evento de teste',
  checkAgain: 'Enviar de novo',
  activate: (platform) => `Conectar ${platform}`,
  connected: 'Conectada. As conversões são informadas a partir de agora.',
  wrongFields: (fields) => (fields === 1 ? 'Corrija o campo marcado.' : `Corrija os ${fields} campos marcados.`),
  toList: 'Todas as conexões',
  created: 'Conectada em',
  seeDeliveries: 'Ver suas entregas',
  held: (corrections) => `Correções que aguardam a confirmação da sua conversão: ${corrections}`,
  nextAttempt: 'Próxima tentativa:',
  sendTest: 'Enviar um evento de teste',
  pause: 'Pausar',
  pauseTitle: 'Pausar a conexão',
  pauseWaiting: (deliveries) => `Entregas pendentes que esperam até você retomar: ${deliveries}.`,
  pauseLoses: 'As conversões registradas durante a pausa nunca são informadas por ela, nem depois.',
  paused: (deliveries) => `Em pausa. Entregas pendentes: ${deliveries}.`,
  resume: 'Retomar',
  resumeAndSend: (deliveries) => `Retomar e enviar ${deliveries}`,
  resumed: (deliveries) => `Retomada. Entregas enviadas agora: ${deliveries}.`,
  mayNotChange: 'Seu papel pode ler conexões, mas não alterá-las. Peça a um operador.',
  saved: 'Salvo. Tudo o que ainda não foi enviado é enviado com estas configurações.',
  savedInactive: 'Salvo. Retome a conexão para enviar o que espera.',
  unreadable: 'As credenciais não podem ser descriptografadas com as chaves deste servidor. Digite todas de novo.',
  conflict: 'Outra pessoa alterou esta conexão enquanto isso. Nada do que você fez foi salvo. Agora está assim:',
  maybeReplaced: 'substituídas',
  seen: 'Continuar com estes valores',
  save: 'Salvar',
  discard: 'Descartar alterações',
};

export const connectionTexts: Texts<ConnectionTexts> = { en: connectionEn, es: connectionEs, pt: connectionPt };
