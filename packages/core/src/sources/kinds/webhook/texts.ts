import type { KindTexts } from '../../kind.ts';

export const webhookTexts: KindTexts = {
  en: {
    help: 'Sales of any service that sends signed messages to a URL.',
    steps: [
      'In the service, open the settings of webhooks and add one for "order paid", and one for "order refunded" if there is any.',
      'URL: the address below. Secret: the secret below, or the one that the service shows you.',
      'Send one message, and choose in it where the order number, the amount and the buyer stand.',
    ],
    test: 'Send a test message, if the service has a button for it, or make a cheap sale. It is listed below, with what is missing in it.',
    clicks:
      'The reference may stand in any field of a message, or in a URL in it: hand it on in a hidden field of your form, a note or a custom field. Without it, the email of a known client finds the click.',
    fields: {
      signature: { label: 'Signature', help: 'How the service signs its messages: its documentation says it.' },
      header: { label: 'Header', help: 'The header that has the signature, such as X-Signature.' },
      prefix: { label: 'Prefix', help: 'What stands before the signature in the header, such as sha256=.' },
      encoding: { label: 'Encoding', help: 'How the signature is written: hex or base64.' },
      algorithm: { label: 'Algorithm', help: 'The hash of the HMAC. Nearly always sha256.' },
      map: { label: 'Fields', help: 'Where a message has the order number, the amount and the buyer.' },
      secret: { label: 'Secret', help: 'With which the service signs its messages.' },
    },
  },
  es: {
    help: 'Ventas de cualquier servicio que envía mensajes firmados a una URL.',
    steps: [
      'En el servicio, abre la configuración de webhooks y añade uno para "pedido pagado" y, si existe, otro para "pedido reembolsado".',
      'URL: la dirección de abajo. Secreto: el secreto de abajo, o el que te muestra el servicio.',
      'Envía un mensaje y elige en él dónde están el número de pedido, el importe y el comprador.',
    ],
    test: 'Envía un mensaje de prueba, si el servicio tiene un botón para eso, o haz una venta barata. Aparece en la lista, con lo que le falta.',
    clicks:
      'La referencia puede estar en cualquier campo del mensaje, o en una URL dentro de él: transmítela en un campo oculto de tu formulario, una nota o un campo propio. Sin ella, el email de un cliente conocido encuentra el clic.',
    fields: {
      signature: { label: 'Firma', help: 'Cómo firma el servicio sus mensajes: lo dice su documentación.' },
      header: { label: 'Encabezado', help: 'El encabezado que lleva la firma, como X-Signature.' },
      prefix: { label: 'Prefijo', help: 'Lo que va antes de la firma en el encabezado, como sha256=.' },
      encoding: { label: 'Codificación', help: 'Cómo se escribe la firma: hex o base64.' },
      algorithm: { label: 'Algoritmo', help: 'El hash del HMAC. Casi siempre sha256.' },
      map: { label: 'Campos', help: 'Dónde tiene el mensaje el número de pedido, el importe y el comprador.' },
      secret: { label: 'Secreto', help: 'Con el que el servicio firma sus mensajes.' },
    },
  },
  pt: {
    help: 'Vendas de qualquer serviço que envia mensagens assinadas a uma URL.',
    steps: [
      'No serviço, abra as configurações de webhooks e adicione um para "pedido pago" e, se existir, outro para "pedido reembolsado".',
      'URL: o endereço abaixo. Segredo: o segredo abaixo, ou o que o serviço mostra.',
      'Envie uma mensagem e escolha nela onde estão o número do pedido, o valor e o comprador.',
    ],
    test: 'Envie uma mensagem de teste, se o serviço tiver um botão para isso, ou faça uma venda barata. Ela aparece na lista, com o que falta nela.',
    clicks:
      'A referência pode estar em qualquer campo da mensagem, ou em uma URL dentro dela: transmita-a em um campo oculto do formulário, uma nota ou um campo próprio. Sem ela, o email de um cliente conhecido encontra o clique.',
    fields: {
      signature: { label: 'Assinatura', help: 'Como o serviço assina suas mensagens: a documentação dele diz.' },
      header: { label: 'Cabeçalho', help: 'O cabeçalho que traz a assinatura, como X-Signature.' },
      prefix: { label: 'Prefixo', help: 'O que vem antes da assinatura no cabeçalho, como sha256=.' },
      encoding: { label: 'Codificação', help: 'Como a assinatura é escrita: hex ou base64.' },
      algorithm: { label: 'Algoritmo', help: 'O hash do HMAC. Quase sempre sha256.' },
      map: { label: 'Campos', help: 'Onde a mensagem tem o número do pedido, o valor e o comprador.' },
      secret: { label: 'Segredo', help: 'Com que o serviço assina suas mensagens.' },
    },
  },
};
