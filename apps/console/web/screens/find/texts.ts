import type { Match, StoryConversion, StoryLead } from '../../../src/contract/find.ts';
import type { Texts } from '../../text/language.tsx';

type Adjustment = StoryConversion['adjustments'][number];

interface FindTexts {
  readonly title: string;
  readonly intro: string;
  readonly field: string;
  readonly placeholder: string;
  readonly searched: string;
  readonly submit: string;
  readonly startTitle: string;
  readonly start: string;
  readonly noneTitle: (text: string) => string;
  readonly none: string;
  readonly noneNext: string;
  readonly matches: (count: string) => string;
  readonly moreMatches: string;
  readonly backToMatches: string;
  readonly foundBy: Readonly<Record<Match['foundBy'], string>>;
  readonly columns: Readonly<Record<'what' | 'foundBy' | 'person' | 'page' | 'at', string>>;
  readonly conversion: (name: string) => string;
  readonly client: (name: string) => string;
  readonly lead: (name: string) => string;
  readonly copyLink: string;
  readonly masked: string;
  readonly otherClients: (count: string) => string;
  readonly ofLead: string;
  readonly click: string;
  readonly leadTitle: string;
  readonly page: string;
  readonly cameFrom: string;
  readonly onEarlierVisit: (time: string) => string;
  readonly noClick: string;
  readonly leadReference: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly sharing: string;
  readonly sharings: Readonly<Record<StoryLead['sharing'], string>>;
  readonly clientTitle: string;
  readonly reference: string;
  readonly eventName: string;
  readonly registered: string;
  readonly total: (amount: string) => string;
  readonly kinds: Readonly<Record<Adjustment['kind'], string>>;
  readonly noClient: string;
  readonly noConversion: string;
  readonly moreConversions: string;
  readonly deliveries: string;
  readonly noDeliveries: string;
}

const findEn: FindTexts = {
  title: 'Find',
  intro: 'The whole story of an order, a client or a click.',
  field: 'Order, email, client or lead reference',
  placeholder: 'order-1001 or ana@example.com',
  searched:
    'Finds an order, event or refund id, a conversion id, a client by reference or email, and a lead by its reference or the email that was entered on the page.',
  submit: 'Find',
  startTitle: 'What happened to…?',
  start:
    'Paste what a customer, a partner or a platform gave you. Spelling must be exact; capitals matter only in ids.',
  noneTitle: (text) => `Nothing is called “${text}”`,
  none: 'Searched live and test data of this account: ids of orders, events, refunds and conversions, references and emails of clients, lead references, and emails entered on pages.',
  noneNext: 'Check the spelling and the account. Erased persons are not found by email or reference: try the order id.',
  matches: (count) => `${count} found`,
  moreMatches: 'There are more. Search for an order id or a reference instead.',
  backToMatches: 'Back to what was found',
  foundBy: {
    order: 'Order id',
    event: 'Event id',
    adjustment: 'Refund or change id',
    conversion: 'Conversion id',
    reference: 'Client reference',
    email: 'Email',
    lead: 'Lead reference',
    'lead-email': 'Email entered on the page',
  },
  columns: { what: 'Found', foundBy: 'By', person: 'Person', page: 'Page', at: 'When' },
  conversion: (name) => `Conversion ${name}`,
  client: (name) => `Client ${name}`,
  lead: (name) => `Lead ${name}`,
  copyLink: 'Copy link',
  masked: 'Your role does not see personal data: names, emails, phone numbers and click ids are masked.',
  otherClients: (count) => `${count} more clients came from this click.`,
  ofLead: 'Show the newest',
  click: 'Click',
  leadTitle: 'Lead',
  page: 'Page',
  cameFrom: 'Came from',
  onEarlierVisit: (time) => `on an earlier visit, ${time}`,
  noClick: 'No click id: the visitor came without an ad click, or it was erased.',
  leadReference: 'Lead reference',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  sharing: 'Consent',
  sharings: {
    granted: 'Agreed to sharing',
    agreed_unpersonalised: 'Agreed, without personalisation',
    unpersonalised: 'Without personalisation',
    opted_out: 'Opted out by Global Privacy Control',
    refused: 'Refused',
    withdrawn: 'Withdrawn',
    unasked: 'Not asked',
  },
  clientTitle: 'Client registered',
  reference: 'Reference',
  eventName: 'Event name',
  registered: 'Registered',
  total: (amount) => `now ${amount}`,
  kinds: { restate: 'New amount', retract: 'Cancellation' },
  noClient: 'No client yet. It appears here once your backend registers a client with this lead reference.',
  noConversion: 'No conversion yet. It appears here once your backend registers one for this client.',
  moreConversions: 'Only the newest 20 conversions are shown. Search for an older one by its order id.',
  deliveries: 'Deliveries',
  noDeliveries: 'Delivered to no platform: there was no active connection for it.',
};

const findEs: FindTexts = {
  title: 'Buscar',
  intro: 'La historia completa de un pedido, un cliente o un clic.',
  field: 'Pedido, correo, referencia de cliente o de lead',
  placeholder: 'pedido-1001 o ana@example.com',
  searched:
    'Busca el id de un pedido, un evento o un reembolso, el id de una conversión, un cliente por su referencia o correo, y un lead por su referencia o por el correo que se escribió en la página.',
  submit: 'Buscar',
  startTitle: '¿Qué pasó con…?',
  start:
    'Pega lo que te dio un cliente, un socio o una plataforma. Tiene que estar escrito igual; las mayúsculas solo importan en los ids.',
  noneTitle: (text) => `Nada se llama «${text}»`,
  none: 'Se buscó en los datos reales y de prueba de esta cuenta: ids de pedidos, eventos, reembolsos y conversiones, referencias y correos de clientes, referencias de leads y correos escritos en páginas.',
  noneNext:
    'Revisa la escritura y la cuenta. Las personas borradas no se encuentran por correo ni referencia: prueba con el id del pedido.',
  matches: (count) => `${count} resultados`,
  moreMatches: 'Hay más. Busca mejor por el id de un pedido o una referencia.',
  backToMatches: 'Volver a los resultados',
  foundBy: {
    order: 'Id de pedido',
    event: 'Id de evento',
    adjustment: 'Id de reembolso o cambio',
    conversion: 'Id de conversión',
    reference: 'Referencia del cliente',
    email: 'Correo',
    lead: 'Referencia del lead',
    'lead-email': 'Correo escrito en la página',
  },
  columns: { what: 'Encontrado', foundBy: 'Por', person: 'Persona', page: 'Página', at: 'Cuándo' },
  conversion: (name) => `Conversión ${name}`,
  client: (name) => `Cliente ${name}`,
  lead: (name) => `Lead ${name}`,
  copyLink: 'Copiar enlace',
  masked: 'Tu rol no ve datos personales: nombres, correos, teléfonos e ids de clic están ocultos.',
  otherClients: (count) => `De este clic vinieron ${count} clientes más.`,
  ofLead: 'Mostrar los más nuevos',
  click: 'Clic',
  leadTitle: 'Lead',
  page: 'Página',
  cameFrom: 'Vino de',
  onEarlierVisit: (time) => `en una visita anterior, ${time}`,
  noClick: 'Sin id de clic: la visita no vino de un anuncio, o se borró.',
  leadReference: 'Referencia del lead',
  name: 'Nombre',
  email: 'Correo',
  phone: 'Teléfono',
  sharing: 'Consentimiento',
  sharings: {
    granted: 'Aceptó compartir',
    agreed_unpersonalised: 'Aceptó, sin personalización',
    unpersonalised: 'Sin personalización',
    opted_out: 'Excluido por Global Privacy Control',
    refused: 'Rechazó',
    withdrawn: 'Retirado',
    unasked: 'No se preguntó',
  },
  clientTitle: 'Cliente registrado',
  reference: 'Referencia',
  eventName: 'Nombre del evento',
  registered: 'Registrada',
  total: (amount) => `ahora ${amount}`,
  kinds: { restate: 'Nuevo importe', retract: 'Cancelación' },
  noClient: 'Todavía no hay cliente. Aparece aquí cuando tu sistema registra uno con esta referencia de lead.',
  noConversion: 'Todavía no hay conversión. Aparece aquí cuando tu sistema registra una para este cliente.',
  moreConversions: 'Solo se muestran las 20 conversiones más nuevas. Busca una más antigua por el id de su pedido.',
  deliveries: 'Entregas',
  noDeliveries: 'No se entregó a ninguna plataforma: no había una conexión activa.',
};

const findPt: FindTexts = {
  title: 'Buscar',
  intro: 'A história completa de um pedido, um cliente ou um clique.',
  field: 'Pedido, e-mail, referência de cliente ou de lead',
  placeholder: 'pedido-1001 ou ana@example.com',
  searched:
    'Busca o id de um pedido, evento ou reembolso, o id de uma conversão, um cliente pela referência ou pelo e-mail, e um lead pela referência ou pelo e-mail digitado na página.',
  submit: 'Buscar',
  startTitle: 'O que aconteceu com…?',
  start:
    'Cole o que um cliente, um parceiro ou uma plataforma passou para você. A grafia deve ser igual; maiúsculas só importam em ids.',
  noneTitle: (text) => `Nada se chama “${text}”`,
  none: 'A busca incluiu dados reais e de teste desta conta: ids de pedidos, eventos, reembolsos e conversões, referências e e-mails de clientes, referências de leads e e-mails digitados em páginas.',
  noneNext:
    'Confira a grafia e a conta. Pessoas apagadas não são encontradas por e-mail nem referência: tente o id do pedido.',
  matches: (count) => `${count} resultados`,
  moreMatches: 'Há mais. Busque pelo id de um pedido ou por uma referência.',
  backToMatches: 'Voltar aos resultados',
  foundBy: {
    order: 'Id do pedido',
    event: 'Id do evento',
    adjustment: 'Id do reembolso ou da mudança',
    conversion: 'Id da conversão',
    reference: 'Referência do cliente',
    email: 'E-mail',
    lead: 'Referência do lead',
    'lead-email': 'E-mail digitado na página',
  },
  columns: { what: 'Encontrado', foundBy: 'Por', person: 'Pessoa', page: 'Página', at: 'Quando' },
  conversion: (name) => `Conversão ${name}`,
  client: (name) => `Cliente ${name}`,
  lead: (name) => `Lead ${name}`,
  copyLink: 'Copiar link',
  masked: 'Sua função não vê dados pessoais: nomes, e-mails, telefones e ids de clique ficam ocultos.',
  otherClients: (count) => `Mais ${count} clientes vieram deste clique.`,
  ofLead: 'Mostrar os mais novos',
  click: 'Clique',
  leadTitle: 'Lead',
  page: 'Página',
  cameFrom: 'Veio de',
  onEarlierVisit: (time) => `em uma visita anterior, ${time}`,
  noClick: 'Sem id de clique: a visita não veio de um anúncio, ou ele foi apagado.',
  leadReference: 'Referência do lead',
  name: 'Nome',
  email: 'E-mail',
  phone: 'Telefone',
  sharing: 'Consentimento',
  sharings: {
    granted: 'Aceitou compartilhar',
    agreed_unpersonalised: 'Aceitou, sem personalização',
    unpersonalised: 'Sem personalização',
    opted_out: 'Excluído pelo Global Privacy Control',
    refused: 'Recusou',
    withdrawn: 'Retirado',
    unasked: 'Não foi perguntado',
  },
  clientTitle: 'Cliente registrado',
  reference: 'Referência',
  eventName: 'Nome do evento',
  registered: 'Registrada',
  total: (amount) => `agora ${amount}`,
  kinds: { restate: 'Novo valor', retract: 'Cancelamento' },
  noClient: 'Ainda não há cliente. Ele aparece aqui quando seu sistema registra um com esta referência de lead.',
  noConversion: 'Ainda não há conversão. Ela aparece aqui quando seu sistema registra uma para este cliente.',
  moreConversions: 'Só as 20 conversões mais novas aparecem. Busque uma mais antiga pelo id do pedido.',
  deliveries: 'Entregas',
  noDeliveries: 'Não foi entregue a nenhuma plataforma: não havia uma conexão ativa.',
};

export const findTexts: Texts<FindTexts> = { en: findEn, es: findEs, pt: findPt };
