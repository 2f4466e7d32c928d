import type { KindTexts } from '../../kind.ts';

export const wooCommerceTexts: KindTexts = {
  en: {
    help: 'Paid orders, refunds and cancellations of your WooCommerce shop.',
    steps: [
      'Sign in to WordPress as an administrator and open WooCommerce → Settings → Advanced → Webhooks → Add webhook.',
      'Name: Leadback. Status: Active. Topic: Order updated.',
      'Delivery URL: the address below. Secret: the secret below. API version: WP REST API Integration v3. Save.',
      'Check that WooCommerce → Settings → Advanced → Features → Order Attribution is on: it hands the click on.',
    ],
    fields: { secret: { label: 'Secret', help: 'You type the same one into the webhook of WooCommerce.' } },
  },
  es: {
    help: 'Pedidos pagados, reembolsos y cancelaciones de tu tienda WooCommerce.',
    steps: [
      'Entra en WordPress como administrador y abre WooCommerce → Ajustes → Avanzado → Webhooks → Añadir webhook.',
      'Nombre: Leadback. Estado: Activo. Tema: Pedido actualizado.',
      'URL de entrega: la dirección de abajo. Secreto: el secreto de abajo. Versión de la API: WP REST API Integration v3. Guarda.',
      'Comprueba que WooCommerce → Ajustes → Avanzado → Características → Atribución de pedidos esté activada: transmite el clic.',
    ],
    fields: { secret: { label: 'Secreto', help: 'Escribes el mismo en el webhook de WooCommerce.' } },
  },
  pt: {
    help: 'Pedidos pagos, reembolsos e cancelamentos da sua loja WooCommerce.',
    steps: [
      'Entre no WordPress como administrador e abra WooCommerce → Configurações → Avançado → Webhooks → Adicionar webhook.',
      'Nome: Leadback. Status: Ativo. Tópico: Pedido atualizado.',
      'URL de entrega: o endereço abaixo. Segredo: o segredo abaixo. Versão da API: WP REST API Integration v3. Salve.',
      'Confira se WooCommerce → Configurações → Avançado → Recursos → Atribuição de pedidos está ativada: ela transmite o clique.',
    ],
    fields: { secret: { label: 'Segredo', help: 'Você digita o mesmo no webhook do WooCommerce.' } },
  },
};
