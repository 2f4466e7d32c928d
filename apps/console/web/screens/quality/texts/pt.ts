import type { QualityTexts } from './en.ts';

export const qualityPt: QualityTexts = {
  title: 'Qualidade',
  intro: 'Uma plataforma atribui uma venda a um anúncio somente se puder relacioná-la a um clique ou a uma pessoa.',
  emptyTitle: 'Nenhuma entrega neste período',
  empty:
    'Quando conversões forem entregues, ou não puderem ser, você vê aqui com o que as plataformas puderam relacioná-las.',
  emptyAction: 'Ver os últimos 90 dias',
  delivered: (delivered, conversions, share) => `${delivered} de ${conversions} entregues (${share})`,
  matchedBy: 'O que as conversões levavam',
  noKeys: 'Não se sabe destas conversões.',
  keys: {
    gclid: 'Clique do Google',
    gbraid: 'Clique do Google em app',
    wbraid: 'Clique do Google na web',
    fbclid: 'Clique da Meta',
    ttclid: 'Clique do TikTok',
    li_fat_id: 'Clique do LinkedIn',
    msclkid: 'Clique da Microsoft',
    email: 'Email',
    phone: 'Telefone',
    externalId: 'O seu próprio id',
    ipAndUserAgent: 'Endereço IP e navegador',
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
      title: 'Peça para verificar TRUST_PROXY',
      text: 'O endereço IP ou o navegador dos visitantes é desconhecido. O seu operador verifica TRUST_PROXY de landing.',
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
