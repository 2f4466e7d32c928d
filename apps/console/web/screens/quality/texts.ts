import type { Texts } from '../../text/language.tsx';

const qualityEn = {
  title: 'Quality',
  intro: 'A platform credits a sale to an ad only if it can match the sale to a click or a person.',
  emptyTitle: 'No deliveries in this period',
  empty: 'Once conversions are delivered, or could not be, you see here by what the platforms could match them.',
  emptyAction: 'Show the last 90 days',
  delivered: (delivered: string, conversions: string, share: string) =>
    `${delivered} of ${conversions} delivered (${share})`,
  matchedBy: 'What the conversions carried',
  noKeys: 'Not known of these conversions.',
  click: (brand: string) => `${brand} click`,
  keys: {
    gclid: 'Google click',
    gbraid: 'Google app click',
    wbraid: 'Google web click',
    fbclid: 'Meta click',
    msclkid: 'Microsoft click',
    email: 'Email',
    phone: 'Phone',
    externalId: 'Your own id',
    ipAndUserAgent: 'IP address and browser',
    ipAddress: 'IP address',
    fbp: 'Meta pixel cookie',
    ttp: 'TikTok pixel cookie',
  },
  improve: 'What would help most',
  noAdvice: 'Nothing: these conversions carry all that this platform matches by.',
  affects: (share: string) => `Helps ${share} of these conversions`,
  advice: {
    email: { title: 'Send the email address', text: 'Give email with POST /client.' },
    phone: { title: 'Send the phone number', text: 'Give phoneNumber with POST /client, with its country code.' },
    externalId: {
      title: 'Send your own identifier',
      text: 'Give externalReference with POST /client, and the same one to your pixel as external_id.',
    },
    click: {
      title: 'Let ads lead to the landing page',
      text: 'Use it as their destination, with auto-tagging on, and register each client with the lead reference of the visit: then the click id is known.',
    },
    ipAndUserAgent: {
      title: 'Let the address of visitors arrive',
      text: 'The IP address or the browser of visitors is unknown. Your operator checks what the proxy in front of the landing pages hands on.',
    },
    fbp: {
      title: 'Use the Meta pixel',
      text: 'On the domain of the landing page, so that its cookie _fbp is there when visitors arrive.',
    },
    ttp: {
      title: 'Use the TikTok pixel',
      text: 'On the domain of the landing page, so that its cookie _ttp is there when visitors arrive.',
    },
    consent: {
      title: 'Ask for consent',
      text: 'On the landing page: platforms are told nothing of visitors who refused.',
    },
    time: {
      title: 'Register conversions sooner',
      text: 'With occurredAt, the time of the sale: the platform takes no older events.',
    },
  },
  undelivered: 'Not delivered',
  states: { failed: 'Failed', skipped: 'Skipped' },
  otherReasons: 'other reasons',
};

const qualityEs: typeof qualityEn = {
  title: 'Calidad',
  intro: 'Una plataforma atribuye una venta a un anuncio solo si puede relacionarla con un clic o una persona.',
  emptyTitle: 'Sin entregas en este período',
  empty:
    'Cuando se entreguen conversiones, o no se puedan entregar, verás aquí con qué pudieron relacionarlas las plataformas.',
  emptyAction: 'Ver los últimos 90 días',
  delivered: (delivered, conversions, share) => `${delivered} de ${conversions} entregadas (${share})`,
  matchedBy: 'Qué llevaban las conversiones',
  noKeys: 'No se sabe de estas conversiones.',
  click: (brand) => `Clic de ${brand}`,
  keys: {
    gclid: 'Clic de Google',
    gbraid: 'Clic de Google en app',
    wbraid: 'Clic de Google en web',
    fbclid: 'Clic de Meta',
    msclkid: 'Clic de Microsoft',
    email: 'Email',
    phone: 'Teléfono',
    externalId: 'Tu propio id',
    ipAndUserAgent: 'Dirección IP y navegador',
    ipAddress: 'Dirección IP',
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
      title: 'Haz que llegue la dirección de los visitantes',
      text: 'No se conoce la dirección IP o el navegador de los visitantes. Tu operador revisa qué transmite el proxy delante de las landing pages.',
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

const qualityPt: typeof qualityEn = {
  title: 'Qualidade',
  intro: 'Uma plataforma atribui uma venda a um anúncio somente se puder relacioná-la a um clique ou a uma pessoa.',
  emptyTitle: 'Nenhuma entrega neste período',
  empty:
    'Quando conversões forem entregues, ou não puderem ser, você vê aqui com o que as plataformas puderam relacioná-las.',
  emptyAction: 'Ver os últimos 90 dias',
  delivered: (delivered, conversions, share) => `${delivered} de ${conversions} entregues (${share})`,
  matchedBy: 'O que as conversões levavam',
  noKeys: 'Não se sabe destas conversões.',
  click: (brand) => `Clique do ${brand}`,
  keys: {
    gclid: 'Clique do Google',
    gbraid: 'Clique do Google em app',
    wbraid: 'Clique do Google na web',
    fbclid: 'Clique da Meta',
    msclkid: 'Clique da Microsoft',
    email: 'Email',
    phone: 'Telefone',
    externalId: 'O seu próprio id',
    ipAndUserAgent: 'Endereço IP e navegador',
    ipAddress: 'Endereço IP',
    fbp: 'Cookie do pixel da Meta',
    ttp: 'Cookie do pixel do TikTok',
  },
  improve: 'O que mais ajudaria',
  noAdvice: 'Nada: estas conversões levam tudo o que esta plataforma usa.',
  affects: (share) => `Ajuda ${share} destas conversões`,
  advice: {
    email: { title: 'Envie o email', text: 'Informe email em POST /client.' },
    phone: { title: 'Envie o telefone', text: 'Informe phoneNumber em POST /client, com o código do país.' },
    externalId: {
      title: 'Envie o seu próprio identificador',
      text: 'Informe externalReference em POST /client, e o mesmo ao seu pixel como external_id.',
    },
    click: {
      title: 'Leve os anúncios à landing page',
      text: 'Use-a como destino, com marcação automática, e registre cada cliente com a referência de lead da visita: assim o id do clique é conhecido.',
    },
    ipAndUserAgent: {
      title: 'Faça chegar o endereço dos visitantes',
      text: 'O endereço IP ou o navegador dos visitantes é desconhecido. O seu operador verifica o que o proxy diante das landing pages transmite.',
    },
    fbp: {
      title: 'Use o pixel da Meta',
      text: 'No domínio da landing page, para que o cookie _fbp exista quando os visitantes chegam.',
    },
    ttp: {
      title: 'Use o pixel do TikTok',
      text: 'No domínio da landing page, para que o cookie _ttp exista quando os visitantes chegam.',
    },
    consent: {
      title: 'Peça o consentimento',
      text: 'Na landing page: as plataformas não são informadas de visitantes que o recusaram.',
    },
    time: {
      title: 'Registre as conversões antes',
      text: 'Com occurredAt, a hora da venda: a plataforma não aceita eventos mais antigos.',
    },
  },
  undelivered: 'Não entregues',
  states: { failed: 'Com falha', skipped: 'Ignorada' },
  otherReasons: 'outros motivos',
};

export const qualityTexts: Texts<typeof qualityEn> = { en: qualityEn, es: qualityEs, pt: qualityPt };
