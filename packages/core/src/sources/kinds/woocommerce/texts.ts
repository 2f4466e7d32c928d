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
    test: 'Place an order in your shop and set it to Processing. WooCommerce marks no order as a test: to only try, add a source of tests.',
    clicks:
      'Send ads to your shop through a Leadback page, or put the script on it: WooCommerce keeps the first URL of the visit with the order. Order Attribution must be on, and a consent plug-in may stop it. Orders that you enter by hand have no click.',
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
    test: 'Haz un pedido en tu tienda y ponlo en Procesando. WooCommerce no marca pedidos como prueba: para solo probar, añade una fuente de pruebas.',
    clicks:
      'Lleva tus anuncios a la tienda por una página de Leadback, o pon el script en ella: WooCommerce guarda con el pedido la primera URL de la visita. La Atribución de pedidos debe estar activada, y un plugin de consentimiento puede detenerla. Los pedidos que cargas a mano no tienen clic.',
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
    test: 'Faça um pedido na loja e mude-o para Processando. O WooCommerce não marca pedidos como teste: para só experimentar, adicione uma fonte de testes.',
    clicks:
      'Leve os anúncios à loja por uma página do Leadback, ou ponha o script nela: o WooCommerce guarda com o pedido a primeira URL da visita. A Atribuição de pedidos precisa estar ativada, e um plugin de consentimento pode impedi-la. Pedidos que você cadastra à mão não têm clique.',
    fields: { secret: { label: 'Segredo', help: 'Você digita o mesmo no webhook do WooCommerce.' } },
  },
};
