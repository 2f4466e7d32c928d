import type { Texts } from '../../text/language.tsx';

// what the server says of a code, in English
const noWhys: Readonly<Record<string, string>> = {};

const funnelEn = {
  title: 'How far conversions came',
  intro: 'Each step down has its reasons. Days are UTC days of the conversions.',
  since: (day: string) => `Shown since ${day}.`,
  steps: {
    registered: { title: 'Registered', text: 'What the connection is told of, or was to be told of' },
    eligible: { title: 'Eligible', text: 'There is something to tell the platform, and it may be told' },
    sent: { title: 'Sent', text: 'The platform answered, or will not be asked again' },
    accepted: { title: 'Accepted', text: 'The platform accepted the event' },
    processed: { title: 'Processed', text: 'The platform reports that it used the event' },
  },
  deletedConnection: 'deleted',
  acceptedOf: (count: string, all: string) => `${count} of ${all} accepted`,
  processedOf: (count: string, all: string) => `${count} of ${all} processed`,
  neverReported: 'This platform does not report which events it used.',
  partial: 'More deliveries wait than are counted here: the first two steps are at least so many.',
  byDay: 'Day by day',
  day: 'Day',
  share: 'Share',
  mostLost: 'Most lost by',
  whys: noWhys,
  otherReasons: 'other reasons',
};

const funnelEs: typeof funnelEn = {
  title: 'Hasta dónde llegaron las conversiones',
  intro: 'Cada escalón tiene sus motivos. Los días son días UTC de las conversiones.',
  since: (day) => `Se muestra desde el ${day}.`,
  steps: {
    registered: { title: 'Registradas', text: 'De las que se informa, o se iba a informar, a la conexión' },
    eligible: { title: 'Aptas', text: 'Hay algo que informar a la plataforma, y está permitido' },
    sent: { title: 'Enviadas', text: 'La plataforma respondió, o ya no se le volverá a preguntar' },
    accepted: { title: 'Aceptadas', text: 'La plataforma aceptó el evento' },
    processed: { title: 'Procesadas', text: 'La plataforma informa que usó el evento' },
  },
  deletedConnection: 'eliminada',
  acceptedOf: (count, all) => `${count} de ${all} aceptadas`,
  processedOf: (count, all) => `${count} de ${all} procesadas`,
  neverReported: 'Esta plataforma no informa qué eventos usó.',
  partial: 'Esperan más entregas de las que se cuentan aquí: los dos primeros pasos son al menos esos.',
  byDay: 'Día por día',
  day: 'Día',
  share: 'Proporción',
  mostLost: 'Motivo principal',
  whys: {
    waiting: 'Va en camino a la plataforma, o se volverá a intentar.',
    connection_paused: 'La conexión está en pausa: espera, y puede quedar demasiado antigua. Reanuda la conexión.',
    connection_needs_attention:
      'La plataforma rechaza la conexión: espera, y puede quedar demasiado antigua. La conexión dice qué cambiar; cámbialo y reanúdala.',
    not_reported_yet:
      'La plataforma la aceptó y aún no ha informado si la usó. Tarda entre media hora y algunas horas.',
    not_reported:
      'La plataforma no informó si la usó. La nota de la entrega dice qué informó. Un reintento la envía otra vez; la plataforma la cuenta una sola vez.',
    no_match_keys:
      'La plataforma no puede relacionar el evento: no hay id de clic ni datos de contacto utilizables. Registra a los clientes con su email o teléfono; un reintento sirve cuando el cliente los tiene.',
    before_click:
      'La conversión ocurrió antes del clic, que no pudo causarla. Si la hora de la conversión es incorrecta, corrígela en su origen.',
    consent: 'El visitante no aceptó compartir sus datos, o su navegador envió Global Privacy Control.',
    consent_withdrawn: 'El visitante retiró su consentimiento en la página «Tus datos»: ya no se informa nada.',
    event_too_old: 'La plataforma ya no acepta eventos tan antiguos. Registra antes las conversiones.',
    retries_exhausted:
      'La plataforma no estuvo disponible, o limitó las solicitudes, durante tres días. Si ya funciona, reintenta.',
    CLICK_NOT_FOUND:
      'Google no conoce ese clic en esta cuenta. Comprueba que la conexión tenga la cuenta (id de cliente) cuyos anuncios trajeron el clic, y que allí esté activo el etiquetado automático.',
    INVALID_OPERATING_ACCOUNT_FOR_CLICK:
      'El clic es de anuncios de otra cuenta de Google. Usa la cuenta (id de cliente) dueña de los anuncios, o una cuenta de administrador con seguimiento de conversiones entre cuentas.',
    OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER:
      'El clic es de anuncios de otra cuenta de Google. Usa la cuenta (id de cliente) dueña de los anuncios, o una cuenta de administrador con seguimiento de conversiones entre cuentas.',
    INVALID_GCLID:
      'Google no puede leer el id del clic: se cortó o cambió en el camino. Lleva los anuncios directamente a la landing page, sin acortador ni redirección que cambie la dirección.',
    CONVERSION_PRECEDES_CLICK:
      'La conversión ocurrió antes del clic. Si la hora de la conversión es incorrecta, corrígela en su origen.',
    TOO_RECENT_CLICK: 'Google aún no conoce el clic. Se envía otra vez a las seis horas.',
    DENIED_CONSENT:
      'Google no tiene el consentimiento de esta persona para usar los datos en anuncios. Pídelo en la landing page o infórmalo con consent. Revisa también los ajustes de consentimiento en Google Ads.',
  },
  otherReasons: 'otros motivos',
};

const funnelPt: typeof funnelEn = {
  title: 'Até onde as conversões chegaram',
  intro: 'Cada degrau tem os seus motivos. Os dias são dias UTC das conversões.',
  since: (day) => `Mostrado desde ${day}.`,
  steps: {
    registered: { title: 'Registradas', text: 'Das quais a conexão é informada, ou seria informada' },
    eligible: { title: 'Aptas', text: 'Há o que informar à plataforma, e isso é permitido' },
    sent: { title: 'Enviadas', text: 'A plataforma respondeu, ou não será mais consultada' },
    accepted: { title: 'Aceitas', text: 'A plataforma aceitou o evento' },
    processed: { title: 'Processadas', text: 'A plataforma informa que usou o evento' },
  },
  deletedConnection: 'excluída',
  acceptedOf: (count, all) => `${count} de ${all} aceitas`,
  processedOf: (count, all) => `${count} de ${all} processadas`,
  neverReported: 'Esta plataforma não informa quais eventos usou.',
  partial: 'Há mais entregas esperando do que as contadas aqui: os dois primeiros passos são pelo menos esses.',
  byDay: 'Dia a dia',
  day: 'Dia',
  share: 'Proporção',
  mostLost: 'Motivo principal',
  whys: {
    waiting: 'Está a caminho da plataforma, ou será tentada de novo.',
    connection_paused: 'A conexão está pausada: ela espera, e pode ficar antiga demais. Retome a conexão.',
    connection_needs_attention:
      'A plataforma rejeita a conexão: ela espera, e pode ficar antiga demais. A conexão diz o que mudar; mude e retome.',
    not_reported_yet: 'A plataforma a aceitou e ainda não informou se a usou. Isso leva de meia hora a algumas horas.',
    not_reported:
      'A plataforma não informou se a usou. A nota da entrega diz o que ela informou. Uma nova tentativa envia de novo; a plataforma conta uma vez só.',
    no_match_keys:
      'A plataforma não consegue relacionar o evento: não há id de clique nem dados de contato utilizáveis. Registre os clientes com email ou telefone; uma nova tentativa ajuda quando o cliente os tem.',
    before_click:
      'A conversão ocorreu antes do clique, que não pode tê-la causado. Se a hora da conversão está errada, corrija na origem.',
    consent: 'O visitante não aceitou compartilhar os dados, ou o navegador enviou Global Privacy Control.',
    consent_withdrawn: 'O visitante retirou o consentimento na página “Seus dados”: nada mais é informado.',
    event_too_old: 'A plataforma não aceita mais eventos tão antigos. Registre as conversões antes.',
    retries_exhausted:
      'A plataforma não esteve disponível, ou limitou as solicitações, por três dias. Se já funciona, tente de novo.',
    CLICK_NOT_FOUND:
      'O Google não conhece esse clique nesta conta. Verifique se a conexão tem a conta (id do cliente) cujos anúncios trouxeram o clique, e se lá a marcação automática está ativa.',
    INVALID_OPERATING_ACCOUNT_FOR_CLICK:
      'O clique é de anúncios de outra conta do Google. Use a conta (id do cliente) dona dos anúncios, ou uma conta de administrador com acompanhamento de conversões entre contas.',
    OPERATING_ACCOUNT_MISMATCH_FOR_AD_IDENTIFIER:
      'O clique é de anúncios de outra conta do Google. Use a conta (id do cliente) dona dos anúncios, ou uma conta de administrador com acompanhamento de conversões entre contas.',
    INVALID_GCLID:
      'O Google não consegue ler o id do clique: foi cortado ou alterado no caminho. Leve os anúncios direto à landing page, sem encurtador nem redirecionamento que mude o endereço.',
    CONVERSION_PRECEDES_CLICK:
      'A conversão ocorreu antes do clique. Se a hora da conversão está errada, corrija na origem.',
    TOO_RECENT_CLICK: 'O Google ainda não conhece o clique. É enviada de novo após seis horas.',
    DENIED_CONSENT:
      'O Google não tem o consentimento desta pessoa para usar os dados em anúncios. Peça na landing page ou informe com consent. Verifique também as configurações de consentimento no Google Ads.',
  },
  otherReasons: 'outros motivos',
};

export const funnelTexts: Texts<typeof funnelEn> = { en: funnelEn, es: funnelEs, pt: funnelPt };
