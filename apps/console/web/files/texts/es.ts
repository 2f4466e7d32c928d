import type { FilesTexts } from './en.ts';

export const filesEs: FilesTexts = {
  drop: 'Suelta aquí un archivo CSV, o elige uno',
  limits: 'UTF-8, con encabezado, separado por , o ; · hasta 50 MiB y 500.000 filas',
  problems: {
    tooLarge: 'El archivo supera los 50 MiB. Divídelo y elige las partes una tras otra.',
    empty: 'El archivo está vacío.',
    spreadsheet: 'Es una hoja de cálculo. Guárdala como «CSV UTF-8» y elige ese archivo.',
  },
  sending: (share) => `${share} enviado`,
  storing: 'Guardando las filas…',
  progress: 'Carga',
  stay: 'Quédate en esta página hasta que el archivo esté guardado.',
  mode: 'Modo',
  live: 'Real',
  test: 'Prueba',
  by: (person) => `por ${person}`,
  byKey: 'con una clave de API',
  leave: 'Puedes salir de esta página: el trabajo continúa.',
  tooOld: (rows, platform) =>
    `${rows} ocurrieron hace demasiado tiempo para ${platform}: se registran, pero no se informan a ${platform}.`,
};
