import type { Language } from '@leadback/domain';

type Words = Readonly<Record<Language, string>>;

/** Why an event of a source came to what it did, by code: for the console, and in English for the command line. */
export const sourceReasons = {
  'not-used': {
    en: 'Leadback does not use this kind of message.',
    es: 'Leadback no usa este tipo de mensaje.',
    pt: 'O Leadback não usa este tipo de mensagem.',
  },
  'not-paid': {
    en: 'The order is not paid. It counts once it is.',
    es: 'El pedido no está pagado. Cuenta cuando lo esté.',
    pt: 'O pedido não foi pago. Ele conta assim que for.',
  },
  'not-from-web': {
    en: 'The order does not come from the web shop, so no click led to it.',
    es: 'El pedido no viene de la tienda web: ningún clic llevó a él.',
    pt: 'O pedido não vem da loja virtual: nenhum clique levou a ele.',
  },
  'never-paid': {
    en: 'The order was never paid, so no sale is taken back.',
    es: 'El pedido nunca se pagó: no se retira ninguna venta.',
    pt: 'O pedido nunca foi pago: nenhuma venda é retirada.',
  },
  'no-new-total': {
    en: 'The sale has this total already.',
    es: 'La venta ya tiene este total.',
    pt: 'A venda já tem este total.',
  },
  'same-event': {
    en: 'The same message came before.',
    es: 'El mismo mensaje ya había llegado.',
    pt: 'A mesma mensagem já tinha chegado.',
  },
  'known-sale': {
    en: 'The sale is counted already, by an earlier message or by your own server.',
    es: 'La venta ya está contada, por un mensaje anterior o por tu propio servidor.',
    pt: 'A venda já foi contada, por uma mensagem anterior ou pelo seu próprio servidor.',
  },
  'other-source': {
    en: 'Another source of the same kind has a sale with this order number, so this order is not counted. Give the orders of each shop numbers of their own, or connect each shop to an account of its own.',
    es: 'Otra fuente del mismo tipo tiene una venta con este número de pedido: este pedido no se cuenta. Da a los pedidos de cada tienda números propios, o conecta cada tienda a una cuenta propia.',
    pt: 'Outra fonte do mesmo tipo tem uma venda com este número de pedido: este pedido não é contado. Dê aos pedidos de cada loja números próprios, ou conecte cada loja a uma conta própria.',
  },
  older: {
    en: 'A newer message about this order came before.',
    es: 'Antes llegó un mensaje más nuevo sobre este pedido.',
    pt: 'Uma mensagem mais nova sobre este pedido chegou antes.',
  },
  'no-sale': {
    en: 'No sale has this order number, and three days have passed.',
    es: 'Ninguna venta tiene este número de pedido, y pasaron tres días.',
    pt: 'Nenhuma venda tem este número de pedido, e três dias se passaram.',
  },
  'sale-without-click': {
    en: 'No click led to the sale, so nobody was told of it.',
    es: 'Ningún clic llevó a la venta: no se informó a nadie.',
    pt: 'Nenhum clique levou à venda: ninguém foi informado.',
  },
  'no-click': {
    en: 'No click led to this sale: it has no lead reference and no click id, and its buyer is no client of yours.',
    es: 'Ningún clic llevó a esta venta: no tiene referencia de lead ni id de clic, y el comprador no es cliente tuyo.',
    pt: 'Nenhum clique levou a esta venda: ela não tem referência de lead nem id de clique, e o comprador não é cliente seu.',
  },
  'person-erased': {
    en: 'The person was erased.',
    es: 'La persona fue borrada.',
    pt: 'A pessoa foi apagada.',
  },
  'erasure-asked': {
    en: 'The shop asks to erase a person. An erasure was started, if the message names an email.',
    es: 'La tienda pide borrar a una persona. Se inició un borrado, si el mensaje nombra un email.',
    pt: 'A loja pede para apagar uma pessoa. Um apagamento foi iniciado, se a mensagem traz um email.',
  },
  'data-asked': {
    en: 'A person asks the shop what is kept of them. Look them up under Find, and give the shop what is there.',
    es: 'Una persona pregunta a la tienda qué se guarda de ella. Búscala en Buscar y da a la tienda lo que haya.',
    pt: 'Uma pessoa pergunta à loja o que é guardado sobre ela. Procure-a em Buscar e entregue à loja o que houver.',
  },
  'erase-by-hand': {
    en: 'The shop asks to erase a person, and names no email. Find one of the orders, and erase its client.',
    es: 'La tienda pide borrar a una persona y no da un email. Busca uno de los pedidos y borra a su cliente.',
    pt: 'A loja pede para apagar uma pessoa e não dá um email. Procure um dos pedidos e apague o seu cliente.',
  },
  'other-currency': {
    en: 'The refund is in another currency than the sale. The message of the order itself tells the new total.',
    es: 'La devolución está en otra moneda que la venta. El mensaje del pedido mismo trae el total nuevo.',
    pt: 'O reembolso está em outra moeda que a venda. A mensagem do próprio pedido traz o novo total.',
  },
  'refund-failed': {
    en: 'A refund has failed: the money is yours again. Leadback does not know the new total; correct the sale if it was changed.',
    es: 'Una devolución falló: el dinero es tuyo otra vez. Leadback no conoce el total nuevo; corrige la venta si cambió.',
    pt: 'Um reembolso falhou: o dinheiro é seu de novo. O Leadback não conhece o novo total; corrija a venda se ela mudou.',
  },
  'store-erased': {
    en: 'The app was removed from the shop, which asks to erase its data: what it had sent is emptied. Delete the source.',
    es: 'La app se quitó de la tienda, que pide borrar sus datos: se vació lo que había enviado. Elimina la fuente.',
    pt: 'O app foi removido da loja, que pede para apagar seus dados: o que ela tinha enviado foi esvaziado. Exclua a fonte.',
  },
  'source-deleted': {
    en: 'The source was deleted before its turn.',
    es: 'La fuente se eliminó antes de su turno.',
    pt: 'A fonte foi excluída antes da sua vez.',
  },
  unreadable: {
    en: 'The message cannot be read.',
    es: 'No se puede leer el mensaje.',
    pt: 'Não é possível ler a mensagem.',
  },
  'other-store': {
    en: 'The message is about another shop or account.',
    es: 'El mensaje es de otra tienda o cuenta.',
    pt: 'A mensagem é de outra loja ou conta.',
  },
  'not-found': {
    en: 'The other side does not know the order or payment.',
    es: 'El otro lado no conoce el pedido o el pago.',
    pt: 'O outro lado não conhece o pedido ou o pagamento.',
  },
  'api-unavailable': {
    en: 'The API of the other side did not answer for three days.',
    es: 'La API del otro lado no respondió durante tres días.',
    pt: 'A API do outro lado não respondeu durante três dias.',
  },
  'fields-wrong': {
    en: 'A field is missing or wrong.',
    es: 'Falta un campo o es incorrecto.',
    pt: 'Um campo falta ou está errado.',
  },
  'currency-not-allowed': {
    en: 'The account takes no sales in this currency. After it does, replay the source.',
    es: 'La cuenta no acepta ventas en esta moneda. Cuando lo haga, repite la fuente.',
    pt: 'A conta não aceita vendas nesta moeda. Quando aceitar, repita a fonte.',
  },
  'too-old': {
    en: 'It is more than 400 days old.',
    es: 'Tiene más de 400 días.',
    pt: 'Tem mais de 400 dias.',
  },
  internal: {
    en: 'It failed again and again. Give support the id of the source.',
    es: 'Falló una y otra vez. Da a soporte el id de la fuente.',
    pt: 'Falhou repetidas vezes. Informe ao suporte o id da fonte.',
  },
} as const satisfies Readonly<Record<string, Words>>;

export type SourceReason = keyof typeof sourceReasons;
