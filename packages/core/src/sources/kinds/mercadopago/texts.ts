import type { KindTexts } from '../../kind.ts';

export const mercadoPagoTexts: KindTexts = {
  en: {
    help: 'Approved payments, refunds and chargebacks of your Mercado Pago account.',
    steps: [
      'Open mercadopago.com/developers → Your integrations → your application → Webhooks → Configure notifications → Production mode.',
      'URL: the address below. Events: Payments, or Order (Mercado Pago) if your checkout makes orders. Save, and copy the secret that appears.',
      'In Production credentials, copy the access token.',
      'Hand the lead reference on when you make the checkout preference: in external_reference, or in metadata.',
    ],
    test: 'Simulate a notification where you configured it: it arrives here, names a payment that does not exist, and waits. A real payment tells more.',
    clicks:
      'Set external_reference or metadata.leadback to the lead reference when your code makes the checkout preference. Payment links that you made by hand carry none: those sales have a click only if the buyer is a client with this email.',
    fields: {
      secret: { label: 'Secret', help: 'Webhooks → Configure notifications. Reset makes a new one.' },
      accessToken: { label: 'Access token', help: 'Your integrations → your application → Production credentials.' },
    },
  },
  es: {
    help: 'Pagos aprobados, devoluciones y contracargos de tu cuenta de Mercado Pago.',
    steps: [
      'Abre mercadopago.com/developers → Tus integraciones → tu aplicación → Webhooks → Configurar notificaciones → Modo productivo.',
      'URL: la dirección de abajo. Eventos: Pagos, u Order (Mercado Pago) si tu checkout crea orders. Guarda y copia la clave secreta que aparece.',
      'En Credenciales de producción, copia el access token.',
      'Transmite la referencia del lead al crear la preferencia de pago: en external_reference o en metadata.',
    ],
    test: 'Simula una notificación donde la configuraste: llega aquí, nombra un pago que no existe y espera. Un pago real dice más.',
    clicks:
      'Al crear la preferencia de pago, tu código pone la referencia del lead en external_reference o en metadata.leadback. Los links de pago hechos a mano no la llevan: esas ventas tienen clic solo si el comprador es un cliente con ese email.',
    fields: {
      secret: { label: 'Clave secreta', help: 'Webhooks → Configurar notificaciones. Restablecer crea una nueva.' },
      accessToken: { label: 'Access token', help: 'Tus integraciones → tu aplicación → Credenciales de producción.' },
    },
  },
  pt: {
    help: 'Pagamentos aprovados, reembolsos e contestações da sua conta do Mercado Pago.',
    steps: [
      'Abra mercadopago.com/developers → Suas integrações → sua aplicação → Webhooks → Configurar notificações → Modo de produção.',
      'URL: o endereço abaixo. Eventos: Pagamentos, ou Order (Mercado Pago) se o seu checkout cria orders. Salve e copie a assinatura secreta que aparece.',
      'Em Credenciais de produção, copie o access token.',
      'Transmita a referência do lead ao criar a preferência de pagamento: em external_reference ou em metadata.',
    ],
    test: 'Simule uma notificação onde você a configurou: ela chega aqui, cita um pagamento que não existe e espera. Um pagamento real diz mais.',
    clicks:
      'Ao criar a preferência de pagamento, o seu código põe a referência do lead em external_reference ou em metadata.leadback. Links de pagamento feitos à mão não a levam: essas vendas têm clique só se o comprador for um cliente com esse email.',
    fields: {
      secret: { label: 'Assinatura secreta', help: 'Webhooks → Configurar notificações. Redefinir cria uma nova.' },
      accessToken: { label: 'Access token', help: 'Suas integrações → sua aplicação → Credenciais de produção.' },
    },
  },
};
