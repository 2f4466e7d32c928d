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
    fields: {
      shop: { label: 'Loja', help: 'O nome da sua loja na Shopify, como mates.myshopify.com.' },
      secret: { label: 'Segredo', help: 'Configurações → Notificações → Webhooks, embaixo da lista.' },
    },
  },
};
