import type { KindTexts } from '../../kind.ts';

export const shopifyTexts: KindTexts = {
  en: {
    help: 'Paid orders, refunds and cancellations of your Shopify shop.',
    steps: [
      'In the admin of your shop, open Settings → Notifications → Webhooks → Create webhook.',
      'Event: Order payment. Format: JSON. URL: the address below. Save. Add two more for Order update and Refund creation.',
      'Copy the secret that stands under the list of webhooks.',
      'Hand the lead reference on with the cart, as the attribute leadback, if visitors may come by other ways than their first page.',
    ],
    test: 'In the list of webhooks, send a test notification: it arrives as a test. An order with the bogus gateway is a test, too.',
    clicks:
      'Send ads to your shop through a Leadback page, or put the script on it: Shopify keeps the first page of the visit. For other ways in, write the reference into the cart as the attribute leadback. Drafts and sales in a store have no click.',
    fields: {
      shop: { label: 'Shop', help: 'The name of your shop at Shopify, such as mates.myshopify.com.' },
      secret: { label: 'Secret', help: 'Settings → Notifications → Webhooks, under the list.' },
    },
  },
  es: {
    help: 'Pedidos pagados, reembolsos y cancelaciones de tu tienda Shopify.',
    steps: [
      'En el panel de tu tienda, abre Configuración → Notificaciones → Webhooks → Crear webhook.',
      'Evento: Pago del pedido. Formato: JSON. URL: la dirección de abajo. Guarda. Añade dos más para Actualización del pedido y Creación de reembolso.',
      'Copia el secreto que está debajo de la lista de webhooks.',
      'Transmite la referencia del lead con el carrito, como atributo leadback, si los visitantes pueden llegar por otros caminos que su primera página.',
    ],
    test: 'En la lista de webhooks, envía una notificación de prueba: llega como prueba. Un pedido con la pasarela de prueba también lo es.',
    clicks:
      'Lleva tus anuncios a la tienda por una página de Leadback, o pon el script en ella: Shopify guarda la primera página de la visita. Para otros caminos, escribe la referencia en el carrito como atributo leadback. Los pedidos preliminares y las ventas en un local no tienen clic.',
    fields: {
      shop: { label: 'Tienda', help: 'El nombre de tu tienda en Shopify, como mates.myshopify.com.' },
      secret: { label: 'Secreto', help: 'Configuración → Notificaciones → Webhooks, debajo de la lista.' },
    },
  },
  pt: {
    help: 'Pedidos pagos, reembolsos e cancelamentos da sua loja Shopify.',
    steps: [
      'No painel da loja, abra Configurações → Notificações → Webhooks → Criar webhook.',
      'Evento: Pagamento do pedido. Formato: JSON. URL: o endereço abaixo. Salve. Adicione mais dois para Atualização do pedido e Criação de reembolso.',
      'Copie o segredo que está embaixo da lista de webhooks.',
      'Transmita a referência do lead com o carrinho, como atributo leadback, se os visitantes podem chegar por outros caminhos que a primeira página.',
    ],
    test: 'Na lista de webhooks, envie uma notificação de teste: ela chega como teste. Um pedido com o gateway de teste também é teste.',
    clicks:
      'Leve os anúncios à loja por uma página do Leadback, ou ponha o script nela: a Shopify guarda a primeira página da visita. Para outros caminhos, escreva a referência no carrinho como atributo leadback. Rascunhos de pedidos e vendas em loja física não têm clique.',
    fields: {
      shop: { label: 'Loja', help: 'O nome da sua loja na Shopify, como mates.myshopify.com.' },
      secret: { label: 'Segredo', help: 'Configurações → Notificações → Webhooks, embaixo da lista.' },
    },
  },
};
