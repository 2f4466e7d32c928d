import type { KindTexts } from '../../kind.ts';

export const tiendanubeTexts: KindTexts = {
  en: {
    help: 'Paid orders, refunds and cancellations of your Tiendanube or Nuvemshop store.',
    steps: [
      'In the partner panel (partners.tiendanube.com), Applications → Create app, for your own store, with the permission to read orders and customers.',
      'In the app, set the address to return to (at Connect the store) as the URL after the installation, and the address of this source for all three privacy webhooks: store redact, customers redact and customers data request.',
      'Copy App ID and Client secret from the app into the settings of this source.',
      'Choose Connect the store: Tiendanube asks you to let the app in, and brings you back. Leadback makes the webhooks of the orders itself.',
    ],
    test: 'Mark an order of your store as paid: its message arrives within a minute.',
    clicks:
      'Send ads to your store through a Leadback page, so that the first URL of the visit has the reference; or add a hidden field extra[leadback] with it to the cart. Orders of Mercado Libre and of your employees have no click and are left out.',
    fields: {
      appId: { label: 'App ID', help: 'The number of your app in the partner panel.' },
      store: { label: 'Store id', help: 'The number of your store. It is filled in when you connect the store.' },
      secret: {
        label: 'Client secret',
        help: 'Beside the App ID in the partner panel. Tiendanube signs its messages with it.',
      },
      accessToken: {
        label: 'Access token',
        help: 'It is filled in when you connect the store; enter one only if you got it another way.',
      },
    },
  },
  es: {
    help: 'Pedidos pagados, devoluciones y cancelaciones de tu tienda Tiendanube o Nuvemshop.',
    steps: [
      'En el panel de socios (partners.tiendanube.com), Aplicaciones → Crear aplicación, para tu propia tienda, con permiso para leer pedidos y clientes.',
      'En la app, pon la dirección de regreso (en Conectar la tienda) como URL después de la instalación, y la dirección de esta fuente en los tres webhooks de privacidad: store redact, customers redact y customers data request.',
      'Copia el App ID y el Client secret de la app en la configuración de esta fuente.',
      'Elige Conectar la tienda: Tiendanube te pide dejar entrar a la app y te trae de vuelta. Los webhooks de los pedidos los crea Leadback.',
    ],
    test: 'Marca un pedido de tu tienda como pagado: su mensaje llega en menos de un minuto.',
    clicks:
      'Lleva tus anuncios a la tienda por una página de Leadback, para que la primera URL de la visita tenga la referencia; o añade al carrito un campo oculto extra[leadback] con ella. Los pedidos de Mercado Libre y los que cargan tus empleados no tienen clic y no se cuentan.',
    fields: {
      appId: { label: 'App ID', help: 'El número de tu app en el panel de socios.' },
      store: { label: 'Id de la tienda', help: 'El número de tu tienda. Se completa cuando conectas la tienda.' },
      secret: {
        label: 'Client secret',
        help: 'Junto al App ID en el panel de socios. Tiendanube firma sus mensajes con él.',
      },
      accessToken: {
        label: 'Token de acceso',
        help: 'Se completa cuando conectas la tienda; escribe uno solo si lo obtuviste de otra manera.',
      },
    },
  },
  pt: {
    help: 'Pedidos pagos, reembolsos e cancelamentos da sua loja Nuvemshop ou Tiendanube.',
    steps: [
      'No painel de parceiros (partners.nuvemshop.com.br), Aplicativos → Criar aplicativo, para a sua própria loja, com permissão para ler pedidos e clientes.',
      'No app, informe o endereço de retorno (em Conectar a loja) como URL após a instalação, e o endereço desta fonte nos três webhooks de privacidade: store redact, customers redact e customers data request.',
      'Copie o App ID e o Client secret do app para as configurações desta fonte.',
      'Escolha Conectar a loja: a Nuvemshop pede que você autorize o app e traz você de volta. Os webhooks dos pedidos são criados pelo Leadback.',
    ],
    test: 'Marque um pedido da loja como pago: a mensagem dele chega em menos de um minuto.',
    clicks:
      'Leve os anúncios à loja por uma página do Leadback, para que a primeira URL da visita tenha a referência; ou acrescente ao carrinho um campo oculto extra[leadback] com ela. Pedidos do Mercado Livre e os que seus funcionários cadastram não têm clique e não contam.',
    fields: {
      appId: { label: 'App ID', help: 'O número do seu app no painel de parceiros.' },
      store: { label: 'Id da loja', help: 'O número da sua loja. É preenchido quando você conecta a loja.' },
      secret: {
        label: 'Client secret',
        help: 'Ao lado do App ID no painel de parceiros. A Nuvemshop assina suas mensagens com ele.',
      },
      accessToken: {
        label: 'Token de acesso',
        help: 'É preenchido quando você conecta a loja; digite um só se o obteve de outra forma.',
      },
    },
  },
};
