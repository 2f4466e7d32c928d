import type { Texts } from '../text/language.tsx';

const filesEn = {
  drop: 'Drop a CSV or Excel file here, or choose one',
  limits: 'As your shop or spreadsheet saves it, with a header · up to 50 MiB and 500,000 rows',
  problems: {
    tooLarge: 'The file is larger than 50 MiB. Split it, then choose the parts one after the other.',
    empty: 'The file is empty.',
    spreadsheet:
      'This kind of spreadsheet cannot be read. Save it as an Excel workbook (.xlsx) or as “CSV UTF-8”, then choose that file.',
  },
  sending: (share: string) => `${share} sent`,
  storing: 'Storing the rows…',
  progress: 'Upload',
  stay: 'Stay on this page until the file is stored.',
  mode: 'Mode',
  live: 'Live',
  test: 'Test',
  by: (person: string) => `by ${person}`,
  byKey: 'by an API key',
  leave: 'You can leave this page: the work goes on.',
  tooOld: (rows: string, platform: string) =>
    `${rows} occurred too long ago for ${platform}: they are registered, and ${platform} is not told.`,
};

const filesEs: typeof filesEn = {
  drop: 'Suelta aquí un archivo CSV o de Excel, o elige uno',
  limits: 'Como lo guarda tu tienda o tu hoja de cálculo, con encabezado · hasta 50 MiB y 500.000 filas',
  problems: {
    tooLarge: 'El archivo supera los 50 MiB. Divídelo y elige las partes una tras otra.',
    empty: 'El archivo está vacío.',
    spreadsheet:
      'Este tipo de hoja de cálculo no se puede leer. Guárdala como libro de Excel (.xlsx) o como «CSV UTF-8» y elige ese archivo.',
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

const filesPt: typeof filesEn = {
  drop: 'Solte aqui um arquivo CSV ou do Excel, ou escolha um',
  limits: 'Como sua loja ou planilha o salva, com cabeçalho · até 50 MiB e 500.000 linhas',
  problems: {
    tooLarge: 'O arquivo passa de 50 MiB. Divida-o e escolha as partes uma após a outra.',
    empty: 'O arquivo está vazio.',
    spreadsheet:
      'Este tipo de planilha não pode ser lido. Salve-a como pasta de trabalho do Excel (.xlsx) ou como “CSV UTF-8” e escolha esse arquivo.',
  },
  sending: (share) => `${share} enviado`,
  storing: 'Gravando as linhas…',
  progress: 'Envio',
  stay: 'Fique nesta página até o arquivo estar gravado.',
  mode: 'Modo',
  live: 'Real',
  test: 'Teste',
  by: (person) => `por ${person}`,
  byKey: 'com uma chave de API',
  leave: 'Você pode sair desta página: o trabalho continua.',
  tooOld: (rows, platform) =>
    `${rows} ocorreram há tempo demais para ${platform}: são registradas, mas não são informadas a ${platform}.`,
};

export const filesTexts: Texts<typeof filesEn> = { en: filesEn, es: filesEs, pt: filesPt };
