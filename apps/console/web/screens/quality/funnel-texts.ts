import type { Texts } from '../../text/language.tsx';

const funnelEn = {
  title: 'How far conversions came',
  intro:
    'Each step down has its reasons. Days are those on which the conversions occurred, in the account’s time zone.',
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
  otherReasons: 'other reasons',
};

const funnelEs: typeof funnelEn = {
  title: 'Hasta dónde llegaron las conversiones',
  intro:
    'Cada escalón tiene sus motivos. Los días son aquellos en que ocurrieron las conversiones, en la zona horaria de la cuenta.',
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
  otherReasons: 'otros motivos',
};

const funnelPt: typeof funnelEn = {
  title: 'Até onde as conversões chegaram',
  intro:
    'Cada degrau tem os seus motivos. Os dias são aqueles em que as conversões ocorreram, no fuso horário da conta.',
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
  otherReasons: 'outros motivos',
};

export const funnelTexts: Texts<typeof funnelEn> = { en: funnelEn, es: funnelEs, pt: funnelPt };
