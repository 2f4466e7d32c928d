import type { KindTexts } from '../../kind.ts';

export const wooCommerceTexts: KindTexts = {
  en: {
    help: 'Paid orders, refunds and cancellations of your WooCommerce shop.',
    steps: [
      'Sign in to WordPress as an administrator and open WooCommerce → Settings → Advanced → Webhooks → Add webhook.',
      'Name: Leadback. Status: Active. Topic: Order updated.',
      'Delivery URL: the address below. Secret: the secret below. API version: WP REST API Integration v3. Save.',
      'Check that WooCommerce → Settings → Advanced → Features → Order Attribution is on: it hands the click on.',
      'Recommended: WooCommerce → Settings → Advanced → REST API → Add key, permissions Read. With the address of your shop and this key, Leadback asks once an hour for what no webhook told.',
    ],
    test: 'Place an order in your shop and set it to Processing. WooCommerce marks no order as a test: to only try, add a source of tests.',
    clicks:
      'Send ads to your shop through a Leadback page, or put the script on it: WooCommerce keeps the first URL of the visit with the order. Order Attribution must be on, and a consent plug-in may stop it. Orders that you enter by hand have no click.',
    fields: {
      shop: { label: 'Address of the shop', help: 'Such as https://shop.example. Only with a key of the REST API.' },
      secret: { label: 'Secret', help: 'You type the same one into the webhook of WooCommerce.' },
      consumerKey: { label: 'Consumer key', help: 'Settings → Advanced → REST API → Add key. It begins with ck_.' },
      consumerSecret: { label: 'Consumer secret', help: 'It is shown with the key, once. It begins with cs_.' },
    },
  },
  es: {
    help: 'Pedidos pagados, reembolsos y cancelaciones de tu tienda WooCommerce.',
    steps: [
      'Entra en WordPress como administrador y abre WooCommerce → Ajustes → Avanzado → Webhooks → Añadir webhook.',
      'Nombre: Leadback. Estado: Activo. Tema: Pedido actualizado.',
      'URL de entrega: la dirección de abajo. Secreto: el secreto de abajo. Versión de la API: WP REST API Integration v3. Guarda.',
      'Comprueba que WooCommerce → Ajustes → Avanzado → Características → Atribución de pedidos esté activada: transmite el clic.',
      'Recomendado: WooCommerce → Ajustes → Avanzado → API REST → Añadir clave, permisos Lectura. Con la dirección de tu tienda y esta clave, Leadback pregunta una vez por hora por lo que ningún webhook contó.',
    ],
    test: 'Haz un pedido en tu tienda y ponlo en Procesando. WooCommerce no marca pedidos como prueba: para solo probar, añade una fuente de pruebas.',
    clicks:
      'Lleva tus anuncios a la tienda por una página de Leadback, o pon el script en ella: WooCommerce guarda con el pedido la primera URL de la visita. La Atribución de pedidos debe estar activada, y un plugin de consentimiento puede detenerla. Los pedidos que cargas a mano no tienen clic.',
    fields: {
      shop: {
        label: 'Dirección de la tienda',
        help: 'Como https://tienda.example. Solo con una clave de la API REST.',
      },
      secret: { label: 'Secreto', help: 'Escribes el mismo en el webhook de WooCommerce.' },
      consumerKey: {
        label: 'Clave del cliente',
        help: 'Ajustes → Avanzado → API REST → Añadir clave. Empieza con ck_.',
      },
      consumerSecret: { label: 'Clave secreta', help: 'Se muestra con la clave, una sola vez. Empieza con cs_.' },
    },
  },
  pt: {
    help: 'Pedidos pagos, reembolsos e cancelamentos da sua loja WooCommerce.',
    steps: [
      'Entre no WordPress como administrador e abra WooCommerce → Configurações → Avançado → Webhooks → Adicionar webhook.',
      'Nome: Leadback. Status: Ativo. Tópico: Pedido atualizado.',
      'URL de entrega: o endereço abaixo. Segredo: o segredo abaixo. Versão da API: WP REST API Integration v3. Salve.',
      'Confira se WooCommerce → Configurações → Avançado → Recursos → Atribuição de pedidos está ativada: ela transmite o clique.',
      'Recomendado: WooCommerce → Configurações → Avançado → API REST → Adicionar chave, permissões Leitura. Com o endereço da loja e essa chave, o Leadback pergunta uma vez por hora pelo que nenhum webhook contou.',
    ],
    test: 'Faça um pedido na loja e mude-o para Processando. O WooCommerce não marca pedidos como teste: para só experimentar, adicione uma fonte de testes.',
    clicks:
      'Leve os anúncios à loja por uma página do Leadback, ou ponha o script nela: o WooCommerce guarda com o pedido a primeira URL da visita. A Atribuição de pedidos precisa estar ativada, e um plugin de consentimento pode impedi-la. Pedidos que você cadastra à mão não têm clique.',
    fields: {
      shop: { label: 'Endereço da loja', help: 'Como https://loja.example. Só com uma chave da API REST.' },
      secret: { label: 'Segredo', help: 'Você digita o mesmo no webhook do WooCommerce.' },
      consumerKey: {
        label: 'Chave do consumidor',
        help: 'Configurações → Avançado → API REST → Adicionar chave. Começa com ck_.',
      },
      consumerSecret: {
        label: 'Segredo do consumidor',
        help: 'É mostrado com a chave, uma única vez. Começa com cs_.',
      },
    },
  },
};
