import type { KindTexts } from '../../kind.ts';

export const mercadoPagoTexts: KindTexts = {
  en: {
    help: 'Approved payments, refunds and chargebacks of your Mercado Pago account.',
    steps: [
      'Open mercadopago.com/developers → Your integrations → your application → Webhooks → Configure notifications → Production mode.',
      'URL: the address below. Events: Payments. Save, and copy the secret that appears.',
      'In Production credentials, copy the access token.',
      'Hand the lead reference on when you make the checkout preference: in external_reference, or in metadata.',
    ],
    fields: {
      secret: { label: 'Secret', help: 'Webhooks → Configure notifications. Reset makes a new one.' },
      accessToken: { label: 'Access token', help: 'Your integrations → your application → Production credentials.' },
    },
  },
  es: {
    help: 'Pagos aprobados, devoluciones y contracargos de tu cuenta de Mercado Pago.',
    steps: [
      'Abre mercadopago.com/developers → Tus integraciones → tu aplicación → Webhooks → Configurar notificaciones → Modo productivo.',
      'URL: la dirección de abajo. Eventos: Pagos. Guarda y copia la clave secreta que aparece.',
      'En Credenciales de producción, copia el access token.',
      'Transmite la referencia del lead al crear la preferencia de pago: en external_reference o en metadata.',
    ],
    fields: {
      secret: { label: 'Clave secreta', help: 'Webhooks → Configurar notificaciones. Restablecer crea una nueva.' },
      accessToken: { label: 'Access token', help: 'Tus integraciones → tu aplicación → Credenciales de producción.' },
    },
  },
  pt: {
    help: 'Pagamentos aprovados, reembolsos e contestações da sua conta do Mercado Pago.',
    steps: [
      'Abra mercadopago.com/developers → Suas integrações → sua aplicação → Webhooks → Configurar notificações → Modo de produção.',
      'URL: o endereço abaixo. Eventos: Pagamentos. Salve e copie a assinatura secreta que aparece.',
      'Em Credenciais de produção, copie o access token.',
      'Transmita a referência do lead ao criar a preferência de pagamento: em external_reference ou em metadata.',
    ],
    fields: {
      secret: { label: 'Assinatura secreta', help: 'Webhooks → Configurar notificações. Redefinir cria uma nova.' },
      accessToken: { label: 'Access token', help: 'Suas integrações → sua aplicação → Credenciais de produção.' },
    },
  },
};
