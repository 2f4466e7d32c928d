import type { QualityTexts } from './en.ts';

export const qualityEs: QualityTexts = {
  title: 'Calidad',
  intro: 'Una plataforma atribuye una venta a un anuncio solo si puede relacionarla con un clic o una persona.',
  emptyTitle: 'Sin entregas en este período',
  empty:
    'Cuando se entreguen conversiones, o no se puedan entregar, verás aquí con qué pudieron relacionarlas las plataformas.',
  emptyAction: 'Ver los últimos 90 días',
  delivered: (delivered, conversions, share) => `${delivered} de ${conversions} entregadas (${share})`,
  matchedBy: 'Qué llevaban las conversiones',
  noKeys: 'No se sabe de estas conversiones.',
  keys: {
    gclid: 'Clic de Google',
    gbraid: 'Clic de Google en app',
    wbraid: 'Clic de Google en web',
    fbclid: 'Clic de Meta',
    ttclid: 'Clic de TikTok',
    li_fat_id: 'Clic de LinkedIn',
    msclkid: 'Clic de Microsoft',
    email: 'Email',
    phone: 'Teléfono',
    externalId: 'Tu propio id',
    ipAndUserAgent: 'Dirección IP y navegador',
    fbp: 'Cookie del píxel de Meta',
    ttp: 'Cookie del píxel de TikTok',
  },
  improve: 'Qué ayudaría más',
  noAdvice: 'Nada: estas conversiones llevan todo lo que usa esta plataforma.',
  affects: (share) => `Ayuda al ${share} de estas conversiones`,
  advice: {
    email: { title: 'Envía el email', text: 'Indica email en POST /client.' },
    phone: { title: 'Envía el teléfono', text: 'Indica phoneNumber en POST /client, con el código de país.' },
    externalId: {
      title: 'Envía tu propio identificador',
      text: 'Indica externalReference en POST /client, y el mismo a tu píxel como external_id.',
    },
    click: {
      title: 'Lleva los anuncios a la landing page',
      text: 'Úsala como destino, con etiquetado automático, y registra cada cliente con la referencia de lead de su visita: así se conoce el id del clic.',
    },
    ipAndUserAgent: {
      title: 'Haz revisar TRUST_PROXY',
      text: 'No se conoce la dirección IP o el navegador de los visitantes. Tu operador revisa TRUST_PROXY de landing.',
    },
    fbp: {
      title: 'Usa el píxel de Meta',
      text: 'En el dominio de la landing page, para que su cookie _fbp exista cuando llegan los visitantes.',
    },
    ttp: {
      title: 'Usa el píxel de TikTok',
      text: 'En el dominio de la landing page, para que su cookie _ttp exista cuando llegan los visitantes.',
    },
    consent: {
      title: 'Pide el consentimiento',
      text: 'En la landing page: a las plataformas no se les informa de visitantes que lo negaron.',
    },
    time: {
      title: 'Registra antes las conversiones',
      text: 'Con occurredAt, la hora de la venta: la plataforma no acepta eventos más antiguos.',
    },
  },
  undelivered: 'No entregadas',
  states: { failed: 'Fallida', skipped: 'Omitida' },
  otherReasons: 'otros motivos',
};
