import type { KindTexts } from '../../kind.ts';

export const postbackTexts: KindTexts = {
  en: {
    help: 'Sales that a tracker or an affiliate network reports by calling a URL.',
    steps: [
      'In the tracker, open the settings of postbacks (S2S) and add one for approved sales, and one for rejected ones.',
      'URL: the address below. Put the placeholders of the tracker in place of the values: ref is the lead reference (serviceId), order the number of the sale.',
      'The address is the secret: with it, anybody can report sales. Give it to the tracker alone.',
    ],
    fields: {},
  },
  es: {
    help: 'Ventas que un tracker o una red de afiliados informa llamando a una URL.',
    steps: [
      'En el tracker, abre la configuración de postbacks (S2S) y añade uno para ventas aprobadas y otro para rechazadas.',
      'URL: la dirección de abajo. Pon los marcadores del tracker en lugar de los valores: ref es la referencia del lead (serviceId), order el número de la venta.',
      'Quien conoce la dirección puede informar ventas: dásela solo al tracker.',
    ],
    fields: {},
  },
  pt: {
    help: 'Vendas que um tracker ou uma rede de afiliados informa chamando uma URL.',
    steps: [
      'No tracker, abra as configurações de postbacks (S2S) e adicione um para vendas aprovadas e outro para rejeitadas.',
      'URL: o endereço abaixo. Coloque os marcadores do tracker no lugar dos valores: ref é a referência do lead (serviceId), order o número da venda.',
      'Quem conhece o endereço pode informar vendas: dê-o somente ao tracker.',
    ],
    fields: {},
  },
};
