import type { KindTexts } from '../../kind.ts';

export const postbackTexts: KindTexts = {
  en: {
    help: 'Sales that a tracker or an affiliate network reports by calling a URL.',
    steps: [
      'In the tracker, open the settings of postbacks (S2S) and add one for approved sales, and one for rejected ones.',
      'URL: the address below. Put the placeholders of the tracker in place of the values: ref is the lead reference (serviceId), order the number of the sale.',
      'The address is the secret: with it, anybody can report sales. Give it to the tracker alone.',
    ],
    test: 'Call the address once from here: it is listed as not paid, and changes nothing.',
    clicks:
      'The parameter ref must have the lead reference: your page gets it as serviceId, and the tracker keeps it as its click id or sub id. In its URL, ref is the placeholder of that id.',
    fields: {},
  },
  es: {
    help: 'Ventas que un tracker o una red de afiliados informa llamando a una URL.',
    steps: [
      'En el tracker, abre la configuración de postbacks (S2S) y añade uno para ventas aprobadas y otro para rechazadas.',
      'URL: la dirección de abajo. Pon los marcadores del tracker en lugar de los valores: ref es la referencia del lead (serviceId), order el número de la venta.',
      'Quien conoce la dirección puede informar ventas: dásela solo al tracker.',
    ],
    test: 'Llama a la dirección una vez desde aquí: aparece como no pagada y no cambia nada.',
    clicks:
      'El parámetro ref debe llevar la referencia del lead: tu página la recibe como serviceId, y el tracker la guarda como su id de clic o subid. En su URL, ref es el marcador de ese id.',
    fields: {},
  },
  pt: {
    help: 'Vendas que um tracker ou uma rede de afiliados informa chamando uma URL.',
    steps: [
      'No tracker, abra as configurações de postbacks (S2S) e adicione um para vendas aprovadas e outro para rejeitadas.',
      'URL: o endereço abaixo. Coloque os marcadores do tracker no lugar dos valores: ref é a referência do lead (serviceId), order o número da venda.',
      'Quem conhece o endereço pode informar vendas: dê-o somente ao tracker.',
    ],
    test: 'Chame o endereço uma vez daqui: aparece como não paga e não muda nada.',
    clicks:
      'O parâmetro ref precisa ter a referência do lead: a sua página a recebe como serviceId, e o tracker a guarda como id de clique ou subid. Na URL dele, ref é o marcador desse id.',
    fields: {},
  },
};
