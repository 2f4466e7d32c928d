import type { Webhook, WebhookDelivery } from '../../../src/contract/webhooks.ts';
import type { Texts } from '../../text/language.tsx';

interface WebhooksTexts {
  readonly title: string;
  readonly intro: string;
  readonly webhook: (id: string) => string;
  readonly url: string;
  readonly urlHint: string;
  readonly mode: string;
  readonly liveMode: string;
  readonly testMode: string;
  readonly events: string;
  readonly noEvents: string;
  readonly allEvents: string;
  readonly someEvents: (count: number, all: number) => string;
  readonly never: string;
  readonly add: string;
  readonly addAction: string;
  readonly added: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly emptyForReaders: string;
  readonly secret: string;
  readonly secretText: string;
  readonly stored: string;
  readonly rotate: string;
  readonly rotateText: string;
  readonly rotateAction: string;
  readonly rotated: string;
  readonly rotatedUntil: (time: string) => string;
  readonly more: string;
  readonly test: string;
  readonly edit: string;
  readonly editAction: string;
  readonly save: string;
  readonly changed: string;
  readonly pause: string;
  readonly pauseDone: string;
  readonly resume: string;
  readonly resumed: string;
  readonly pausedByPerson: string;
  readonly pausedOther: (reason: string) => string;
  readonly pausedMeans: string;
  readonly delete: string;
  readonly deleteAction: string;
  readonly deleteText: string;
  readonly deleted: string;
  readonly states: Readonly<Record<'active' | 'unverified' | 'paused' | 'gone' | 'failing', string>>;
  readonly pauses: Readonly<Partial<Record<string, string>>>;
  readonly columns: Readonly<Record<'url' | 'state' | 'events' | 'accepted' | 'created', string>>;
  readonly topics: Readonly<Record<Webhook['events'][number], string>>;
}

const webhooksEn: WebhooksTexts = {
  title: 'Webhooks',
  intro: 'Your backend learns what happened to each sale: signed HTTPS requests to your own URL.',
  webhook: (id) => `Webhook ${id}`,
  url: 'URL',
  urlHint:
    'https on port 443 or 8443, with a public host, without user name or password. Redirects are not followed. It must answer a signed test with 2xx before it gets events.',
  mode: 'Told of',
  liveMode: 'Live events',
  testMode: 'Tests',
  events: 'Events',
  noEvents: 'Choose one event or more.',
  allEvents: 'all',
  someEvents: (count, all) => `${count} of ${all}`,
  never: 'never',
  add: 'Add webhook',
  addAction: 'Add',
  added: 'Webhook added',
  emptyTitle: 'No webhooks',
  empty:
    'Add a URL of your backend, and Leadback tells it of failed deliveries, broken connections and finished imports.',
  emptyForReaders: 'A partner administrator or an operator can add one.',
  secret: 'Secret',
  secretText:
    'Copy the secret now, and store it where your receiver reads it: it is not shown again. It signs each request.',
  stored: 'I have stored it',
  rotate: 'New secret',
  rotateText:
    'For 24 hours, each request is signed with the new and with the old secret. Store the new one in your receiver within this time: no request is lost.',
  rotateAction: 'Make a new secret',
  rotated: 'New secret made',
  rotatedUntil: (time) => `The old secret signs as well until ${time}.`,
  more: 'More',
  test: 'Send test event',
  edit: 'Edit webhook',
  editAction: 'Edit',
  save: 'Save',
  changed: 'Saved.',
  pause: 'Pause',
  pauseDone: 'Paused. New events are not told.',
  resume: 'Resume',
  resumed: 'Active again. What waited is being sent.',
  pausedByPerson: 'This webhook was paused by a person.',
  pausedOther: (reason) => `Leadback has paused this webhook: ${reason}`,
  pausedMeans: 'New events are not told. Deliveries that wait are sent when it is active again, up to 30 days old.',
  delete: 'Delete',
  deleteAction: 'Delete webhook',
  deleteText:
    'Its URL and secret are deleted, its log is no longer shown, and deliveries that wait are never sent. This cannot be undone.',
  deleted: 'Webhook deleted.',
  states: {
    active: 'Active',
    unverified: 'Not verified',
    paused: 'Paused',
    gone: 'Switched off',
    failing: 'Failing',
  },
  pauses: {
    gone: 'Your receiver responded with 410 Gone, so the webhook was switched off.',
    failing: 'Your receiver has accepted nothing for three days, so the webhook was paused.',
    unreadable:
      'Its stored URL or secret could not be read for three days, so nothing was sent. Ask the people who run Leadback, or delete it and add it again.',
  },
  columns: {
    url: 'URL',
    state: 'State',
    events: 'Events',
    accepted: 'Last accepted',
    created: 'Added',
  },
  topics: {
    'delivery.delivered': 'A platform accepted an event',
    'delivery.failed': 'A platform rejected an event, or was unavailable for three days',
    'delivery.skipped': 'There was nothing to send to a platform',
    'connection.needs_attention': 'A platform rejects a connection: sales wait',
    'connection.recovered': 'The connection works again',
    'import.finished': 'Each row of an import has an outcome',
    'reconciliation.finished': 'Each row of a list was compared',
    'page.target_changed': 'Clicks of a page go to another host',
  },
};

const webhooksEs: WebhooksTexts = {
  title: 'Webhooks',
  intro: 'Tu backend se entera de qué pasó con cada venta: solicitudes HTTPS firmadas a tu propia URL.',
  webhook: (id) => `Webhook ${id}`,
  url: 'URL',
  urlHint:
    'https en el puerto 443 u 8443, con un host público, sin usuario ni contraseña. No se siguen redirecciones. Debe responder 2xx a una prueba firmada antes de recibir eventos.',
  mode: 'Informa de',
  liveMode: 'Eventos reales',
  testMode: 'Pruebas',
  events: 'Eventos',
  noEvents: 'Elige al menos un evento.',
  allEvents: 'todos',
  someEvents: (count, all) => `${count} de ${all}`,
  never: 'nunca',
  add: 'Añadir webhook',
  addAction: 'Añadir',
  added: 'Webhook añadido',
  emptyTitle: 'Sin webhooks',
  empty:
    'Añade una URL de tu backend, y Leadback le informa de entregas fallidas, conexiones rotas e importaciones terminadas.',
  emptyForReaders: 'Puede añadir uno un administrador del socio o un operador.',
  secret: 'Secreto',
  secretText:
    'Copia el secreto ahora y guárdalo donde tu receptor lo lea: no se vuelve a mostrar. Con él se firma cada solicitud.',
  stored: 'Ya lo guardé',
  rotate: 'Secreto nuevo',
  rotateText:
    'Durante 24 horas, cada solicitud se firma con el secreto nuevo y con el anterior. Guarda el nuevo en tu receptor dentro de ese plazo: no se pierde ninguna solicitud.',
  rotateAction: 'Crear secreto nuevo',
  rotated: 'Secreto nuevo creado',
  rotatedUntil: (time) => `El secreto anterior también firma hasta el ${time}.`,
  more: 'Más',
  test: 'Enviar evento de prueba',
  edit: 'Editar webhook',
  editAction: 'Editar',
  save: 'Guardar',
  changed: 'Guardado.',
  pause: 'Pausar',
  pauseDone: 'En pausa. No se informa de eventos nuevos.',
  resume: 'Reanudar',
  resumed: 'Activo otra vez. Se envía lo que esperaba.',
  pausedByPerson: 'Una persona puso este webhook en pausa.',
  pausedOther: (reason) => `Leadback puso este webhook en pausa: ${reason}`,
  pausedMeans:
    'No se informa de eventos nuevos. Las entregas que esperan se envían cuando vuelva a estar activo, con hasta 30 días de antigüedad.',
  delete: 'Eliminar',
  deleteAction: 'Eliminar webhook',
  deleteText:
    'Se eliminan su URL y su secreto, su registro deja de mostrarse y las entregas que esperan no se envían nunca. No se puede deshacer.',
  deleted: 'Webhook eliminado.',
  states: {
    active: 'Activo',
    unverified: 'Sin verificar',
    paused: 'En pausa',
    gone: 'Apagado',
    failing: 'Fallando',
  },
  pauses: {
    gone: 'Tu receptor respondió 410 Gone, así que el webhook se apagó.',
    failing: 'Tu receptor no aceptó nada durante tres días, así que el webhook se puso en pausa.',
    unreadable:
      'Durante tres días no se pudo leer la URL o el secreto guardados, así que no se envió nada. Pregunta a quienes operan Leadback, o elimínalo y añádelo otra vez.',
  },
  columns: {
    url: 'URL',
    state: 'Estado',
    events: 'Eventos',
    accepted: 'Última aceptación',
    created: 'Añadido',
  },
  topics: {
    'delivery.delivered': 'Una plataforma aceptó un evento',
    'delivery.failed': 'Una plataforma rechazó un evento o no estuvo disponible durante tres días',
    'delivery.skipped': 'No había nada que enviar a una plataforma',
    'connection.needs_attention': 'Una plataforma rechaza una conexión: las ventas esperan',
    'connection.recovered': 'La conexión vuelve a funcionar',
    'import.finished': 'Cada fila de una importación tiene un resultado',
    'reconciliation.finished': 'Se comparó cada fila de una lista',
    'page.target_changed': 'Los clics de una página van a otro dominio',
  },
};

const webhooksPt: WebhooksTexts = {
  title: 'Webhooks',
  intro:
    'O seu backend fica sabendo o que aconteceu com cada venda: solicitações HTTPS assinadas para a sua própria URL.',
  webhook: (id) => `Webhook ${id}`,
  url: 'URL',
  urlHint:
    'https na porta 443 ou 8443, com um host público, sem usuário nem senha. Redirecionamentos não são seguidos. Deve responder 2xx a um teste assinado antes de receber eventos.',
  mode: 'Informa sobre',
  liveMode: 'Eventos reais',
  testMode: 'Testes',
  events: 'Eventos',
  noEvents: 'Escolha pelo menos um evento.',
  allEvents: 'todos',
  someEvents: (count, all) => `${count} de ${all}`,
  never: 'nunca',
  add: 'Adicionar webhook',
  addAction: 'Adicionar',
  added: 'Webhook adicionado',
  emptyTitle: 'Nenhum webhook',
  empty:
    'Adicione uma URL do seu backend, e o Leadback informa sobre entregas com falha, conexões quebradas e importações concluídas.',
  emptyForReaders: 'Um administrador do parceiro ou um operador pode adicionar um.',
  secret: 'Segredo',
  secretText:
    'Copie o segredo agora e guarde-o onde o seu receptor o lê: ele não é mostrado de novo. Ele assina cada solicitação.',
  stored: 'Já guardei',
  rotate: 'Novo segredo',
  rotateText:
    'Durante 24 horas, cada solicitação é assinada com o segredo novo e com o anterior. Guarde o novo no seu receptor nesse prazo: nenhuma solicitação se perde.',
  rotateAction: 'Criar novo segredo',
  rotated: 'Novo segredo criado',
  rotatedUntil: (time) => `O segredo anterior também assina até ${time}.`,
  more: 'Mais',
  test: 'Enviar evento de teste',
  edit: 'Editar webhook',
  editAction: 'Editar',
  save: 'Salvar',
  changed: 'Salvo.',
  pause: 'Pausar',
  pauseDone: 'Pausado. Novos eventos não são informados.',
  resume: 'Retomar',
  resumed: 'Ativo novamente. O que esperava está sendo enviado.',
  pausedByPerson: 'Uma pessoa pausou este webhook.',
  pausedOther: (reason) => `O Leadback pausou este webhook: ${reason}`,
  pausedMeans:
    'Novos eventos não são informados. As entregas que esperam são enviadas quando ele voltar a ficar ativo, com até 30 dias.',
  delete: 'Excluir',
  deleteAction: 'Excluir webhook',
  deleteText:
    'A URL e o segredo são excluídos, o registro deixa de ser mostrado e as entregas que esperam nunca são enviadas. Não é possível desfazer.',
  deleted: 'Webhook excluído.',
  states: {
    active: 'Ativo',
    unverified: 'Não verificado',
    paused: 'Pausado',
    gone: 'Desligado',
    failing: 'Falhando',
  },
  pauses: {
    gone: 'O seu receptor respondeu 410 Gone, por isso o webhook foi desligado.',
    failing: 'O seu receptor não aceitou nada por três dias, por isso o webhook foi pausado.',
    unreadable:
      'Por três dias não foi possível ler a URL ou o segredo guardados, por isso nada foi enviado. Pergunte a quem opera o Leadback, ou exclua-o e adicione-o de novo.',
  },
  columns: {
    url: 'URL',
    state: 'Estado',
    events: 'Eventos',
    accepted: 'Última aceitação',
    created: 'Adicionado',
  },
  topics: {
    'delivery.delivered': 'Uma plataforma aceitou um evento',
    'delivery.failed': 'Uma plataforma rejeitou um evento ou ficou indisponível por três dias',
    'delivery.skipped': 'Não havia nada para enviar a uma plataforma',
    'connection.needs_attention': 'Uma plataforma rejeita uma conexão: as vendas esperam',
    'connection.recovered': 'A conexão voltou a funcionar',
    'import.finished': 'Cada linha de uma importação tem um resultado',
    'reconciliation.finished': 'Cada linha de uma lista foi comparada',
    'page.target_changed': 'Os cliques de uma página vão para outro domínio',
  },
};

export const webhooksTexts: Texts<WebhooksTexts> = { en: webhooksEn, es: webhooksEs, pt: webhooksPt };

interface LogTexts {
  readonly columns: Readonly<Record<'event' | 'state' | 'response' | 'attempts' | 'happened', string>>;
  readonly log: string;
  readonly anyState: string;
  readonly end: string;
  readonly logEmptyTitle: string;
  readonly logEmpty: string;
  readonly logEmptyFiltered: string;
  readonly noResponse: string;
  readonly noResponseYet: string;
  readonly drawer: (id: string) => string;
  readonly previous: string;
  readonly next: string;
  readonly attempts: string;
  readonly beingSent: string;
  readonly nextAttempt: string;
  readonly request: string;
  readonly retry: string;
  readonly retried: string;
  readonly retryPaused: string;
  readonly unknownDelivery: string;
  readonly deliveryStates: Readonly<Record<WebhookDelivery['state'], string>>;
  readonly outcomes: Readonly<Record<WebhookDelivery['attempts'][number]['outcome'], string>>;
}

const logEn: LogTexts = {
  columns: { event: 'Event', state: 'State', response: 'Response', attempts: 'Attempts', happened: 'Happened' },
  log: 'Log of 30 days',
  anyState: 'Any',
  end: 'These are all.',
  logEmptyTitle: 'Nothing was sent yet',
  logEmpty: 'Send a test event to see how your receiver responds.',
  logEmptyFiltered: 'No delivery is in this state.',
  noResponse: 'no response',
  noResponseYet: 'not yet',
  drawer: (id) => `Delivery ${id}`,
  previous: 'Previous delivery (k)',
  next: 'Next delivery (j)',
  attempts: 'Attempts',
  beingSent: 'Being sent; the response appears here.',
  nextAttempt: 'Next attempt',
  request: 'Request',
  retry: 'Send again',
  retried: 'It is being sent again.',
  retryPaused: 'Resume the webhook first.',
  unknownDelivery: 'The log no longer has this delivery.',
  deliveryStates: {
    pending: 'Pending',
    delivered: 'Accepted',
    failed: 'Failed',
    skipped: 'Skipped',
  },
  outcomes: {
    delivered: 'Accepted',
    rejected: 'Rejected',
    unavailable: 'Not accepted',
    throttled: 'Not accepted: too many requests',
    refused: 'Switched off by the receiver',
    requeued: 'Sent again on request',
  },
};

const logEs: LogTexts = {
  columns: { event: 'Evento', state: 'Estado', response: 'Respuesta', attempts: 'Intentos', happened: 'Ocurrió' },
  log: 'Registro de 30 días',
  anyState: 'Todos',
  end: 'Estos son todos.',
  logEmptyTitle: 'Aún no se envió nada',
  logEmpty: 'Envía un evento de prueba para ver cómo responde tu receptor.',
  logEmptyFiltered: 'Ninguna entrega está en este estado.',
  noResponse: 'sin respuesta',
  noResponseYet: 'todavía no',
  drawer: (id) => `Entrega ${id}`,
  previous: 'Entrega anterior (k)',
  next: 'Entrega siguiente (j)',
  attempts: 'Intentos',
  beingSent: 'Enviando; la respuesta aparece aquí.',
  nextAttempt: 'Próximo intento',
  request: 'Solicitud',
  retry: 'Enviar otra vez',
  retried: 'Se está enviando otra vez.',
  retryPaused: 'Reanuda primero el webhook.',
  unknownDelivery: 'El registro ya no tiene esta entrega.',
  deliveryStates: {
    pending: 'Pendiente',
    delivered: 'Aceptada',
    failed: 'Fallida',
    skipped: 'Omitida',
  },
  outcomes: {
    delivered: 'Aceptada',
    rejected: 'Rechazada',
    unavailable: 'No aceptada',
    throttled: 'No aceptada: demasiadas solicitudes',
    refused: 'Apagado por el receptor',
    requeued: 'Enviada otra vez a petición',
  },
};

const logPt: LogTexts = {
  columns: { event: 'Evento', state: 'Estado', response: 'Resposta', attempts: 'Tentativas', happened: 'Ocorreu' },
  log: 'Registro de 30 dias',
  anyState: 'Todos',
  end: 'Estes são todos.',
  logEmptyTitle: 'Nada foi enviado ainda',
  logEmpty: 'Envie um evento de teste para ver como o seu receptor responde.',
  logEmptyFiltered: 'Nenhuma entrega está neste estado.',
  noResponse: 'sem resposta',
  noResponseYet: 'ainda não',
  drawer: (id) => `Entrega ${id}`,
  previous: 'Entrega anterior (k)',
  next: 'Próxima entrega (j)',
  attempts: 'Tentativas',
  beingSent: 'Enviando; a resposta aparece aqui.',
  nextAttempt: 'Próxima tentativa',
  request: 'Requisição',
  retry: 'Enviar novamente',
  retried: 'Está sendo enviado novamente.',
  retryPaused: 'Retome o webhook primeiro.',
  unknownDelivery: 'O registro não tem mais esta entrega.',
  deliveryStates: {
    pending: 'Pendente',
    delivered: 'Aceita',
    failed: 'Com falha',
    skipped: 'Ignorada',
  },
  outcomes: {
    delivered: 'Aceita',
    rejected: 'Rejeitada',
    unavailable: 'Não aceita',
    throttled: 'Não aceita: solicitações demais',
    refused: 'Desligado pelo receptor',
    requeued: 'Enviada novamente a pedido',
  },
};

export const logTexts: Texts<LogTexts> = { en: logEn, es: logEs, pt: logPt };
