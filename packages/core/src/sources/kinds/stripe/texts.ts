import type { KindTexts } from '../../kind.ts';

export const stripeTexts: KindTexts = {
  en: {
    help: 'Payments, refunds and lost disputes of your Stripe account.',
    steps: [
      'In the dashboard of Stripe, open Workbench → Webhooks → Add destination.',
      'Events: checkout.session.completed, checkout.session.async_payment_succeeded, charge.refunded and charge.dispute.closed. For subscriptions invoice.paid as well; without Checkout payment_intent.succeeded.',
      'Endpoint URL: the address below. Save, and copy the signing secret.',
      'Hand the lead reference on: add ?client_reference_id= and the reference to your Payment Link, or set client_reference_id of the session.',
    ],
    test: 'Pay with a test card in a sandbox: add a destination there with the same URL, and a source with its secret. What it brings is a test.',
    clicks:
      'Add ?client_reference_id= and the reference to the URL of each Payment Link, or set it when your code makes the session. Without Checkout, put the reference into the metadata of the payment.',
    fields: {
      secret: { label: 'Signing secret', help: 'Workbench → Webhooks → your destination. It begins with whsec_.' },
    },
  },
  es: {
    help: 'Pagos, reembolsos y disputas perdidas de tu cuenta de Stripe.',
    steps: [
      'En el panel de Stripe, abre Workbench → Webhooks → Añadir destino.',
      'Eventos: checkout.session.completed, checkout.session.async_payment_succeeded, charge.refunded y charge.dispute.closed. Para suscripciones también invoice.paid; sin Checkout, payment_intent.succeeded.',
      'URL del punto de conexión: la dirección de abajo. Guarda y copia el secreto de firma.',
      'Transmite la referencia del lead: añade ?client_reference_id= y la referencia a tu Payment Link, o pon client_reference_id en la sesión.',
    ],
    test: 'Paga con una tarjeta de prueba en un entorno de pruebas: añade allí un destino y, aquí, una fuente con su secreto. Lo que trae es una prueba.',
    clicks:
      'Añade ?client_reference_id= y la referencia a la URL de cada Payment Link, o ponla cuando tu código crea la sesión. Sin Checkout, pon la referencia en los metadatos del pago.',
    fields: { secret: { label: 'Secreto de firma', help: 'Workbench → Webhooks → tu destino. Empieza con whsec_.' } },
  },
  pt: {
    help: 'Pagamentos, reembolsos e contestações perdidas da sua conta da Stripe.',
    steps: [
      'No painel da Stripe, abra Workbench → Webhooks → Adicionar destino.',
      'Eventos: checkout.session.completed, checkout.session.async_payment_succeeded, charge.refunded e charge.dispute.closed. Para assinaturas também invoice.paid; sem Checkout, payment_intent.succeeded.',
      'URL do endpoint: o endereço abaixo. Salve e copie o segredo de assinatura.',
      'Transmita a referência do lead: acrescente ?client_reference_id= e a referência ao seu Payment Link, ou defina client_reference_id na sessão.',
    ],
    test: 'Pague com um cartão de teste em uma sandbox: adicione lá um destino e, aqui, uma fonte com o segredo dele. O que ela traz é teste.',
    clicks:
      'Acrescente ?client_reference_id= e a referência à URL de cada Payment Link, ou defina-a quando o seu código cria a sessão. Sem Checkout, ponha a referência nos metadados do pagamento.',
    fields: {
      secret: { label: 'Segredo de assinatura', help: 'Workbench → Webhooks → seu destino. Começa com whsec_.' },
    },
  },
};
