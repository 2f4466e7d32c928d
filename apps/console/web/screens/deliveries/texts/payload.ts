import type { Texts } from '../../../text/language.tsx';

const en = {
  title: 'What the platform would be told now',
  intro: 'Built with the data and settings of now. Nothing is sent.',
  show: 'Show the payload',
  masked: 'Personal data are masked here, also where they are hashed. The platform gets them in full.',
  held: 'It would not be sent now:',
  early: (time: string) => `It occurs later: it will be sent after ${time}.`,
  skipped: 'Nothing would be sent:',
  unusable: 'It cannot be built. Fix the connection first:',
};

const es: typeof en = {
  title: 'Qué se le diría ahora a la plataforma',
  intro: 'Se arma con los datos y ajustes de ahora. No se envía nada.',
  show: 'Mostrar el contenido',
  masked: 'Aquí los datos personales están ocultos, también los que van como hash. La plataforma los recibe completos.',
  held: 'Ahora no se enviaría:',
  early: (time) => `Ocurre más tarde: se enviará después de ${time}.`,
  skipped: 'No se enviaría nada:',
  unusable: 'No se puede armar. Primero corrige la conexión:',
};

const pt: typeof en = {
  title: 'O que seria enviado agora à plataforma',
  intro: 'Montado com os dados e ajustes de agora. Nada é enviado.',
  show: 'Mostrar o conteúdo',
  masked: 'Aqui os dados pessoais ficam ocultos, também os enviados como hash. A plataforma os recebe completos.',
  held: 'Agora não seria enviado:',
  early: (time) => `Ocorre mais tarde: será enviado depois de ${time}.`,
  skipped: 'Nada seria enviado:',
  unusable: 'Não é possível montar. Primeiro corrija a conexão:',
};

export const payloadTexts: Texts<typeof en> = { en, es, pt };
