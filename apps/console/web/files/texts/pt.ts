import type { FilesTexts } from './en.ts';

export const filesPt: FilesTexts = {
  drop: 'Solte aqui um arquivo CSV, ou escolha um',
  limits: 'UTF-8, com cabeçalho, separado por , ou ; · até 50 MiB e 500.000 linhas',
  problems: {
    tooLarge: 'O arquivo passa de 50 MiB. Divida-o e escolha as partes uma após a outra.',
    empty: 'O arquivo está vazio.',
    spreadsheet: 'Isto é uma planilha. Salve-a como “CSV UTF-8” e escolha esse arquivo.',
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
