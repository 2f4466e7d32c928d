import type { KindTexts } from '../../kind.ts';

export const tiendanubeTexts: KindTexts = {
  en: {
    help: 'Paid orders, refunds and cancellations of your Tiendanube or Nuvemshop store.',
    steps: [
      'In the partner panel (partners.tiendanube.com), create an app for your store with the permission to read orders, and copy its client secret.',
      'Install the app in your store. The response to the exchange of the code has the access token and, as user_id, the id of the store.',
      'Create webhooks for order/paid, order/cancelled, order/voided and order/updated with the address below.',
      'In the app, set the same address for customers/redact.',
    ],
    test: 'Mark an order of your store as paid: its message arrives within a minute.',
    clicks:
      'Send ads to your store through a Leadback page, so that the first URL of the visit has the reference; or add a hidden field extra[leadback] with it to the cart. Orders of Mercado Libre and of your employees have no click and are left out.',
    fields: {
      store: { label: 'Store id', help: 'The number of your store: user_id in the response with the token.' },
      secret: {
        label: 'Client secret',
        help: 'Partner panel → your app → Keys. Tiendanube signs its messages with it.',
      },
      accessToken: { label: 'Access token', help: 'What your store gave the app, with the scope read_orders.' },
    },
  },
  es: {
    help: 'Pedidos pagados, devoluciones y cancelaciones de tu tienda Tiendanube o Nuvemshop.',
    steps: [
      'En el panel de socios (partners.tiendanube.com), crea una app para tu tienda con permiso para leer pedidos y copia su client secret.',
      'Instala la app en tu tienda. La respuesta al canje del código trae el token de acceso y, como user_id, el id de la tienda.',
      'Crea webhooks para order/paid, order/cancelled, order/voided y order/updated con la dirección de abajo.',
      'En la app, pon la misma dirección para customers/redact.',
    ],
    test: 'Marca un pedido de tu tienda como pagado: su mensaje llega en menos de un minuto.',
    clicks:
      'Lleva tus anuncios a la tienda por una página de Leadback, para que la primera URL de la visita tenga la referencia; o añade al carrito un campo oculto extra[leadback] con ella. Los pedidos de Mercado Libre y los que cargan tus empleados no tienen clic y no se cuentan.',
    fields: {
      store: { label: 'Id de la tienda', help: 'El número de tu tienda: user_id en la respuesta con el token.' },
      secret: {
        label: 'Client secret',
        help: 'Panel de socios → tu app → Claves. Tiendanube firma sus mensajes con él.',
      },
      accessToken: { label: 'Token de acceso', help: 'El que tu tienda dio a la app, con el permiso read_orders.' },
    },
  },
  pt: {
    help: 'Pedidos pagos, reembolsos e cancelamentos da sua loja Nuvemshop ou Tiendanube.',
    steps: [
      'No painel de parceiros (partners.nuvemshop.com.br), crie um app para a sua loja com permissão para ler pedidos e copie o client secret.',
      'Instale o app na loja. A resposta à troca do código traz o token de acesso e, como user_id, o id da loja.',
      'Crie webhooks para order/paid, order/cancelled, order/voided e order/updated com o endereço abaixo.',
      'No app, informe o mesmo endereço para customers/redact.',
    ],
    test: 'Marque um pedido da loja como pago: a mensagem dele chega em menos de um minuto.',
    clicks:
      'Leve os anúncios à loja por uma página do Leadback, para que a primeira URL da visita tenha a referência; ou acrescente ao carrinho um campo oculto extra[leadback] com ela. Pedidos do Mercado Livre e os que seus funcionários cadastram não têm clique e não contam.',
    fields: {
      store: { label: 'Id da loja', help: 'O número da sua loja: user_id na resposta com o token.' },
      secret: {
        label: 'Client secret',
        help: 'Painel de parceiros → seu app → Chaves. A Nuvemshop assina suas mensagens com ele.',
      },
      accessToken: { label: 'Token de acesso', help: 'O que a loja deu ao app, com a permissão read_orders.' },
    },
  },
};
