import type { ReasonTexts } from './text.ts';

export const spanish: ReasonTexts = {
  event_too_old: {
    title: 'Demasiado antiguo para la plataforma',
    meaning: (days) => `La plataforma no acepta eventos de más de ${days} días.`,
  },
  consent: {
    title: 'Sin consentimiento',
    meaning:
      'El visitante no aceptó compartir sus datos, informaste que la persona lo negó, o su navegador envió Global Privacy Control.',
  },
  consent_withdrawn: {
    title: 'Consentimiento retirado',
    meaning:
      'El visitante retiró su consentimiento en la página «Tus datos», o informaste que la persona lo negó: no se informa nada más a las plataformas.',
  },
  before_click: {
    title: 'Antes del clic',
    meaning:
      'La conversión ocurrió antes del clic, que no puede haberla causado, y no hay otro dato para reconocer a la persona.',
    remedy: 'Si la hora de la conversión está mal, corrígela en su origen; si no, nada ayuda.',
  },
  superseded: {
    title: 'Reemplazado por un ajuste posterior',
    meaning: 'Se entregó un ajuste posterior, y este lo sobrescribiría.',
  },
  not_supported: {
    title: 'La plataforma no lo admite',
    meaning: 'No hay forma de informar este ajuste a la plataforma.',
    remedy: 'Meta necesita un evento de reembolso: un operador lo configura en la conexión.',
  },
  connection_deleted: {
    title: 'Conexión eliminada',
    meaning: 'Su conexión se eliminó mientras esto esperaba.',
  },
  no_match_keys: {
    title: 'Sin datos para reconocer a la persona',
    meaning:
      'La plataforma no puede asociar el evento con una persona: no hay id de clic ni datos de contacto utilizables.',
    remedy: 'Registra a los clientes con su correo o su teléfono; reintentar ayuda cuando el cliente tenga uno.',
  },
  no_lead_event: {
    title: 'Sin nombre para los leads',
    meaning: 'La conexión no dice cómo llama la plataforma a los leads.',
    remedy: 'Un operador configura el evento de lead en la conexión, o deja fuera los leads. Después, reintenta.',
  },
  no_test_mode: {
    title: 'La plataforma no tiene pruebas',
    meaning: 'La conversión es una prueba, y la plataforma la contaría.',
  },
  no_test_event_code: {
    title: 'Sin código de eventos de prueba',
    meaning: 'La conversión es una prueba, y la conexión no tiene código de eventos de prueba.',
    remedy: 'Un operador configura un código de eventos de prueba en la conexión. Después, reintenta.',
  },
  invalid_amount: {
    title: 'Sin importe utilizable',
    meaning: 'La plataforma no acepta una venta sin un importe que pueda leer.',
  },
  nothing_taken_back: {
    title: 'No se devolvió nada',
    meaning: 'El nuevo total no es menor que todos los anteriores, y a la plataforma solo se le informa lo devuelto.',
  },
  refund_event_taken: {
    title: 'El nombre del evento de reembolso ya se usa',
    meaning: 'El evento de reembolso se llama como otro evento, y la plataforma lo contaría.',
    remedy: 'Un operador da al evento de reembolso un nombre propio en la conexión. Después, reintenta.',
  },
  original_not_delivered: {
    title: 'Su conversión no está en la plataforma',
    meaning: 'La plataforma no tiene la conversión que esto corrige.',
    remedy: 'Reintenta la conversión: esto la sigue.',
  },
  original_uncertain: {
    title: 'Su conversión quizá no esté en la plataforma',
    meaning: 'No se sabe si la plataforma usó la conversión que esto corrige.',
    remedy: 'Si la entrega de la conversión tiene una nota, reinténtala: esto la sigue.',
  },
  original_sent_elsewhere: {
    title: 'Su conversión fue a otro lugar',
    meaning: 'La conversión se envió con otra configuración de la conexión. Allí, esto sería una conversión más.',
    remedy:
      'Corrige la conversión a mano en la plataforma; si el cambio de configuración fue un error, deshazlo y reintenta.',
  },
  original_pending: { title: 'Espera a su conversión' },
  original_unconfirmed: { title: 'Espera a que se confirme su conversión' },
  earlier_adjustment_pending: { title: 'Espera a un ajuste anterior' },
  early: { title: 'Ocurre más tarde' },
  quota: { title: 'Espera la cuota de la plataforma' },
  connection_rests: { title: 'La plataforma falla: una pausa breve' },
  internal_error: { title: 'Error interno: se envía de nuevo pronto' },
  currency_not_supported: {
    title: 'Moneda no aceptada',
    meaning: 'La plataforma no acepta la moneda de la venta.',
    remedy:
      'Un operador puede hacer que esas ventas se envíen sin su importe: es una opción de la conexión. Después, reintenta.',
  },
  waiting: {
    title: 'En camino',
    meaning: 'Va en camino a la plataforma, o se volverá a intentar.',
  },
  connection_paused: {
    title: 'Conexión en pausa',
    meaning: 'La conexión está en pausa: espera, y puede quedar demasiado antigua.',
    remedy: 'Reanuda la conexión.',
  },
  connection_needs_attention: {
    title: 'Conexión rechazada',
    meaning: 'La plataforma rechaza la conexión: espera, y puede quedar demasiado antigua.',
    remedy: 'La conexión dice qué cambiar; cámbialo y reanúdala.',
  },
  not_reported_yet: {
    title: 'Aún sin informe',
    meaning: 'La plataforma la aceptó y aún no informó si la usó. Tarda entre media hora y algunas horas.',
  },
  not_reported: {
    title: 'Sin informe',
    meaning: 'La plataforma no informó si la usó. La nota de la entrega dice qué informó en su lugar.',
    remedy: 'Un reintento la envía otra vez; la plataforma la cuenta una sola vez.',
  },
  retries_exhausted: {
    title: 'Se intentó durante tres días',
    meaning: 'La plataforma no estuvo disponible, o limitó las solicitudes, durante tres días.',
    remedy: 'Si ya funciona, reintenta.',
  },
  CLICK_NOT_FOUND: {
    title: 'Google no conoce el clic',
    meaning: 'Google no conoce ese clic en esta cuenta.',
    remedy:
      'Comprueba que la conexión tenga la cuenta (id de cliente) cuyos anuncios trajeron el clic, y que allí esté activo el etiquetado automático.',
  },
  INVALID_OPERATING_ACCOUNT_FOR_CLICK: {
    title: 'Clic de otra cuenta',
    meaning: 'El clic es de anuncios de otra cuenta de Google, no de la cuenta de la conexión.',
    remedy:
      'Usa la cuenta (id de cliente) dueña de los anuncios, o una cuenta de administrador con seguimiento de conversiones entre cuentas.',
  },
  INVALID_GCLID: {
    title: 'Id de clic ilegible',
    meaning: 'Google no puede leer el id del clic: se cortó o cambió en el camino.',
    remedy: 'Lleva los anuncios directamente a la landing page, sin acortador ni redirección que cambie la dirección.',
  },
  CONVERSION_PRECEDES_CLICK: {
    title: 'Antes del clic',
    meaning: 'La conversión ocurrió antes del clic.',
    remedy: 'Si la hora de la conversión está mal, corrígela en su origen; si no, nada ayuda.',
  },
  TOO_RECENT_CLICK: {
    title: 'Clic demasiado reciente',
    meaning: 'Google aún no conoce el clic. Se envía otra vez a las seis horas.',
  },
  DENIED_CONSENT: {
    title: 'Sin consentimiento en Google',
    meaning: 'Google no tiene el consentimiento de esta persona para usar los datos en anuncios.',
    remedy:
      'Pídelo en la landing page o infórmalo con `consent`. Revisa también los ajustes de consentimiento de la cuenta en Google Ads.',
  },
};
