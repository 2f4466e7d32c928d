import type { DraftField, PageDraft, PageProblem } from '../../../src/contract/pages.ts';
import type { Texts } from '../../text/language.tsx';

export interface PagesTexts {
  readonly title: string;
  readonly intro: string;
  readonly find: string;
  readonly columns: Readonly<Record<'page' | 'url' | 'isOn' | 'leads' | 'changed', string>>;
  readonly isOn: (slug: string) => string;
  readonly on: string;
  readonly off: string;
  readonly switchedOn: (slug: string) => string;
  readonly switchedOff: (slug: string) => string;
  readonly undo: string;
  readonly direct: string;
  readonly url: string;
  readonly emptyTitle: string;
  readonly empty: string;
  readonly noneFound: string;
  readonly hasMore: (count: string) => string;
  readonly targetChanged: (slug: string, before: string, after: string, day: string) => string;
  readonly newPage: string;
  readonly newPageIntro: string;
  readonly create: string;
  readonly created: (slug: string) => string;
  readonly slug: string;
  readonly slugHint: (url: string) => string;
  readonly slugTaken: string;
  readonly all: string;
  readonly open: string;
  readonly openPreview: string;
  readonly readOnly: string;
  readonly edit: string;
  readonly preview: string;
  readonly views: string;
  readonly previewHint: string;
  readonly previewDirect: string;
  readonly previewDirectText: (url: string) => string;
  readonly groups: Readonly<Record<'target' | 'content' | 'look' | 'form' | 'privacy', string>>;
  readonly fields: Readonly<Record<DraftField, string>>;
  readonly hints: Readonly<Record<Exclude<DraftField, 'mode' | 'language'>, string>>;
  readonly problems: Readonly<Record<PageProblem, string>>;
  readonly modes: Readonly<Record<PageDraft['mode'], string>>;
  readonly scopes: Readonly<Record<PageDraft['consentScope'], string>>;
  readonly asked: Readonly<Record<PageDraft['askedFields'][number], string>>;
  readonly used: (used: string, max: string) => string;
  readonly defaultColor: string;
  readonly image: Readonly<
    Record<'upload' | 'replace' | 'remove' | 'url' | 'useUrl' | 'alt' | 'altHint' | 'uploaded', string>
  >;
  readonly imageProblems: Readonly<Record<'type' | 'size' | 'often', string>>;
  readonly imageSize: (width: number, height: number) => string;
  readonly save: string;
  readonly saved: string;
  readonly unsaved: string;
  readonly allSaved: string;
  readonly discard: string;
  readonly correct: string;
  readonly leave: Readonly<Record<'title' | 'text' | 'stay' | 'leave', string>>;
  readonly conflict: Readonly<
    Record<'title' | 'text' | 'theirs' | 'yours' | 'allTheirs' | 'allYours' | 'save' | 'choose' | 'empty', string>
  >;
  readonly conflictBy: (who: string) => string;
  readonly conflictAlso: string;
}

const pagesEn: PagesTexts = {
  title: 'Pages',
  intro: 'What visitors see after a click on an ad, before they reach the target page.',
  find: 'Find a page',
  columns: { page: 'Page', url: 'URL', isOn: 'On', leads: 'Leads, 30 days', changed: 'Last change' },
  isOn: (slug) => `${slug} is on`,
  on: 'On',
  off: 'Off',
  switchedOn: (slug) => `${slug} is on.`,
  switchedOff: (slug) => `${slug} is off: visitors do not find it.`,
  undo: 'Undo',
  direct: 'Redirects at once',
  url: 'URL of the page',
  emptyTitle: 'No pages yet',
  empty: 'A page turns a click on an ad into a lead. Create one, and use its URL in your ads.',
  noneFound: 'No page has this in its name, heading or target. Try a shorter word.',
  hasMore: (count) => `These are the ${count} pages changed last. The command page list shows all.`,
  targetChanged: (slug, before, after, day) =>
    `Since ${day} the clicks of ${slug} go to ${after}, and no longer to ${before}. The audit log says who changed it.`,
  newPage: 'New page',
  newPageIntro: 'It is on at once. You add the content next.',
  create: 'Create page',
  created: (slug) => `${slug} was created and is on.`,
  slug: 'Name in the URL',
  slugHint: (url) => `Lower-case letters, digits and dashes. Visitors see ${url}`,
  slugTaken: 'Another page has this name. Choose another.',
  all: 'All pages',
  open: 'Open the page',
  openPreview: 'Open what is saved',
  readOnly: 'Your role may read this page, but not change it.',
  edit: 'Edit',
  preview: 'Preview',
  views: 'What is shown',
  previewHint: 'As visitors see it. Nothing is saved, and the form does not submit.',
  previewDirect: 'Visitors see no page',
  previewDirectText: (url) => `They are redirected at once to ${url}`,
  groups: {
    target: 'Where visitors go',
    content: 'Content',
    look: 'Look',
    form: 'Form',
    privacy: 'Consent and privacy',
  },
  fields: {
    targetUrl: 'Target page',
    mode: 'What a click does',
    title: 'Heading',
    text: 'Text',
    buttonLabel: 'Button',
    language: 'Language of the standard texts',
    accentColor: 'Colour of the button',
    logo: 'Logo',
    hero: 'Large image',
    askedFields: 'Ask visitors for',
    consentText: 'Consent text',
    consentScope: 'What the consent covers',
    privacyUrl: 'Privacy policy',
  },
  hints: {
    targetUrl: 'Where the button leads, with https://. Leadback adds serviceId for each visitor.',
    title: 'Empty: the standard heading.',
    text: 'Paragraphs, lists (- one), *emphasis* and **strong emphasis**.',
    buttonLabel: 'Empty: the standard label.',
    accentColor: 'Such as #1f4fd8. The text on it becomes black or white, whichever is easier to read.',
    logo: 'Above the heading.',
    hero: 'Beside the text, above it on phones.',
    askedFields: 'Visitors must fill in what you ask for. Fewer fields bring more leads.',
    consentText: 'A checkbox with this text. Empty: visitors are not asked.',
    consentScope: 'What happens for visitors who do not tick it.',
    privacyUrl: 'A link below the form.',
  },
  problems: {
    slug: 'Use lower-case letters, digits and single dashes, at most 64.',
    targetUrl: 'Enter a full URL with https://, without serviceId.',
    mode: 'Choose one.',
    title: 'At most 200 characters on one line.',
    text: 'At most 3,000 characters.',
    buttonLabel: 'At most 200 characters on one line.',
    language: 'Choose one.',
    accentColor: 'Enter a colour such as #1f4fd8.',
    logo: 'Upload an image, or enter a full URL with https://.',
    hero: 'Upload an image, or enter a full URL with https://.',
    askedFields: 'Choose from the list.',
    consentText: 'At most 1,000 characters on one line. A page that redirects at once cannot ask: remove the text.',
    consentScope: 'Choose one.',
    privacyUrl: 'Enter a full URL with https://.',
  },
  modes: { page: 'Shows this page', direct: 'Redirects at once' },
  scopes: {
    sharing: 'Sharing: nothing is sent to the platforms',
    personalisation: 'Personalisation: events are sent for measurement only',
  },
  asked: { name: 'Name', email: 'Email', phone: 'Phone' },
  used: (used, max) => `${used} of ${max} characters`,
  defaultColor: 'Standard colour',
  image: {
    upload: 'Upload an image',
    replace: 'Replace',
    remove: 'Remove',
    url: 'URL of the image',
    useUrl: 'Use a URL',
    alt: 'Alternative text',
    altHint: 'What the image shows, for people who do not see it. Empty if it only decorates.',
    uploaded: 'Uploaded image',
  },
  imageProblems: {
    type: 'This is no image that pages can show. Choose a PNG, JPEG, GIF, WebP or AVIF.',
    size: 'This image is larger than 512 KiB. Make it smaller: large images are slow on phones.',
    often: 'You have uploaded many images. Wait a minute, then try again.',
  },
  imageSize: (width, height) => `${width} × ${height} pixels`,
  save: 'Save',
  saved: 'Saved. Visitors see it within seconds.',
  unsaved: 'Unsaved changes',
  allSaved: 'Everything is saved',
  discard: 'Discard',
  correct: 'Correct the marked fields, then save.',
  leave: {
    title: 'Leave without saving?',
    text: 'Your changes to this page are not saved.',
    stay: 'Stay here',
    leave: 'Leave without saving',
  },
  conflict: {
    title: 'This page has changed meanwhile',
    text: 'Nothing of yours was saved yet. Choose for each field which one stays.',
    theirs: 'Theirs',
    yours: 'Yours',
    allTheirs: 'Take all of theirs',
    allYours: 'Keep all of yours',
    save: 'Save this choice',
    choose: 'Choose one for each field.',
    empty: 'empty',
  },
  conflictBy: (who) => `Changed by ${who}.`,
  conflictAlso: 'What only you changed stays as you wrote it.',
};

const pagesEs: PagesTexts = {
  title: 'Páginas',
  intro: 'Lo que ven los visitantes después de un clic en un anuncio, antes de llegar a la página de destino.',
  find: 'Buscar una página',
  columns: { page: 'Página', url: 'URL', isOn: 'Activa', leads: 'Leads, 30 días', changed: 'Último cambio' },
  isOn: (slug) => `${slug} está activa`,
  on: 'Activa',
  off: 'Inactiva',
  switchedOn: (slug) => `${slug} está activa.`,
  switchedOff: (slug) => `${slug} está inactiva: los visitantes no la encuentran.`,
  undo: 'Deshacer',
  direct: 'Redirige enseguida',
  url: 'URL de la página',
  emptyTitle: 'Todavía no hay páginas',
  empty: 'Una página convierte un clic en un anuncio en un lead. Crea una y usa su URL en tus anuncios.',
  noneFound: 'Ninguna página tiene esto en su nombre, título o destino. Prueba una palabra más corta.',
  hasMore: (count) => `Estas son las ${count} páginas que cambiaron últimas. El comando page list muestra todas.`,
  targetChanged: (slug, before, after, day) =>
    `Desde el ${day} los clics de ${slug} van a ${after}, y ya no a ${before}. El registro de auditoría dice quién lo cambió.`,
  newPage: 'Página nueva',
  newPageIntro: 'Queda activa enseguida. Después agregas el contenido.',
  create: 'Crear página',
  created: (slug) => `${slug} está creada y activa.`,
  slug: 'Nombre en la URL',
  slugHint: (url) => `Minúsculas, dígitos y guiones. Los visitantes ven ${url}`,
  slugTaken: 'Otra página tiene este nombre. Elige otro.',
  all: 'Todas las páginas',
  open: 'Abrir la página',
  openPreview: 'Abrir lo guardado',
  readOnly: 'Tu rol puede leer esta página, pero no cambiarla.',
  edit: 'Editar',
  preview: 'Vista previa',
  views: 'Qué se muestra',
  previewHint: 'Como la ven los visitantes. No se guarda nada y el formulario no se envía.',
  previewDirect: 'Los visitantes no ven ninguna página',
  previewDirectText: (url) => `Se redirigen enseguida a ${url}`,
  groups: {
    target: 'A dónde van los visitantes',
    content: 'Contenido',
    look: 'Aspecto',
    form: 'Formulario',
    privacy: 'Consentimiento y privacidad',
  },
  fields: {
    targetUrl: 'Página de destino',
    mode: 'Qué hace un clic',
    title: 'Título',
    text: 'Texto',
    buttonLabel: 'Botón',
    language: 'Idioma de los textos estándar',
    accentColor: 'Color del botón',
    logo: 'Logo',
    hero: 'Imagen grande',
    askedFields: 'Pedir a los visitantes',
    consentText: 'Texto del consentimiento',
    consentScope: 'Qué cubre el consentimiento',
    privacyUrl: 'Política de privacidad',
  },
  hints: {
    targetUrl: 'A dónde lleva el botón, con https://. Leadback agrega serviceId para cada visitante.',
    title: 'Vacío: el título estándar.',
    text: 'Párrafos, listas (- uno), *énfasis* y **énfasis fuerte**.',
    buttonLabel: 'Vacío: la etiqueta estándar.',
    accentColor: 'Por ejemplo #1f4fd8. El texto encima es blanco o negro, según cuál se lea mejor.',
    logo: 'Arriba del título.',
    hero: 'Al lado del texto; en teléfonos, arriba.',
    askedFields: 'Los visitantes deben completar lo que pides. Con menos campos llegan más leads.',
    consentText: 'Una casilla con este texto. Vacío: no se pregunta.',
    consentScope: 'Qué pasa con los visitantes que no la marcan.',
    privacyUrl: 'Un enlace debajo del formulario.',
  },
  problems: {
    slug: 'Usa minúsculas, dígitos y guiones simples, hasta 64.',
    targetUrl: 'Escribe una URL completa con https://, sin serviceId.',
    mode: 'Elige una opción.',
    title: 'Hasta 200 caracteres en una línea.',
    text: 'Hasta 3000 caracteres.',
    buttonLabel: 'Hasta 200 caracteres en una línea.',
    language: 'Elige una opción.',
    accentColor: 'Escribe un color como #1f4fd8.',
    logo: 'Sube una imagen o escribe una URL completa con https://.',
    hero: 'Sube una imagen o escribe una URL completa con https://.',
    askedFields: 'Elige de la lista.',
    consentText:
      'Hasta 1000 caracteres en una línea. Una página que redirige enseguida no puede preguntar: quita el texto.',
    consentScope: 'Elige una opción.',
    privacyUrl: 'Escribe una URL completa con https://.',
  },
  modes: { page: 'Muestra esta página', direct: 'Redirige enseguida' },
  scopes: {
    sharing: 'Compartir: no se envía nada a las plataformas',
    personalisation: 'Personalización: los eventos se envían solo para medir',
  },
  asked: { name: 'Nombre', email: 'Correo electrónico', phone: 'Teléfono' },
  used: (used, max) => `${used} de ${max} caracteres`,
  defaultColor: 'Color estándar',
  image: {
    upload: 'Subir una imagen',
    replace: 'Reemplazar',
    remove: 'Quitar',
    url: 'URL de la imagen',
    useUrl: 'Usar una URL',
    alt: 'Texto alternativo',
    altHint: 'Qué muestra la imagen, para quienes no la ven. Vacío si solo decora.',
    uploaded: 'Imagen subida',
  },
  imageProblems: {
    type: 'Las páginas no pueden mostrar este archivo. Elige un PNG, JPEG, GIF, WebP o AVIF.',
    size: 'Esta imagen pesa más de 512 KiB. Achícala: las imágenes grandes son lentas en teléfonos.',
    often: 'Subiste muchas imágenes. Espera un minuto y reintenta.',
  },
  imageSize: (width, height) => `${width} × ${height} píxeles`,
  save: 'Guardar',
  saved: 'Guardado. Los visitantes lo ven en segundos.',
  unsaved: 'Cambios sin guardar',
  allSaved: 'Todo está guardado',
  discard: 'Descartar',
  correct: 'Corrige los campos marcados y guarda.',
  leave: {
    title: '¿Salir sin guardar?',
    text: 'Tus cambios en esta página no están guardados.',
    stay: 'Seguir aquí',
    leave: 'Salir sin guardar',
  },
  conflict: {
    title: 'Esta página cambió mientras tanto',
    text: 'Todavía no se guardó nada tuyo. Elige para cada campo cuál queda.',
    theirs: 'El de la otra persona',
    yours: 'El tuyo',
    allTheirs: 'Tomar todo lo suyo',
    allYours: 'Dejar todo lo mío',
    save: 'Guardar esta elección',
    choose: 'Elige uno para cada campo.',
    empty: 'vacío',
  },
  conflictBy: (who) => `La cambió ${who}.`,
  conflictAlso: 'Lo que solo cambiaste tú queda como lo escribiste.',
};

const pagesPt: PagesTexts = {
  title: 'Páginas',
  intro: 'O que os visitantes veem depois de um clique em um anúncio, antes de chegar à página de destino.',
  find: 'Buscar uma página',
  columns: { page: 'Página', url: 'URL', isOn: 'Ativa', leads: 'Leads, 30 dias', changed: 'Última alteração' },
  isOn: (slug) => `${slug} está ativa`,
  on: 'Ativa',
  off: 'Inativa',
  switchedOn: (slug) => `${slug} está ativa.`,
  switchedOff: (slug) => `${slug} está inativa: os visitantes não a encontram.`,
  undo: 'Desfazer',
  direct: 'Redireciona na hora',
  url: 'URL da página',
  emptyTitle: 'Ainda não há páginas',
  empty: 'Uma página transforma um clique em um anúncio em um lead. Crie uma e use a URL dela nos seus anúncios.',
  noneFound: 'Nenhuma página tem isso no nome, no título ou no destino. Tente uma palavra mais curta.',
  hasMore: (count) => `Estas são as ${count} páginas alteradas por último. O comando page list mostra todas.`,
  targetChanged: (slug, before, after, day) =>
    `Desde ${day} os cliques de ${slug} vão para ${after}, e não mais para ${before}. O registro de auditoria diz quem mudou.`,
  newPage: 'Nova página',
  newPageIntro: 'Ela fica ativa na hora. Depois você adiciona o conteúdo.',
  create: 'Criar página',
  created: (slug) => `${slug} foi criada e está ativa.`,
  slug: 'Nome na URL',
  slugHint: (url) => `Letras minúsculas, dígitos e hifens. Os visitantes veem ${url}`,
  slugTaken: 'Outra página tem este nome. Escolha outro.',
  all: 'Todas as páginas',
  open: 'Abrir a página',
  openPreview: 'Abrir o que está salvo',
  readOnly: 'Seu papel pode ler esta página, mas não alterá-la.',
  edit: 'Editar',
  preview: 'Pré-visualização',
  views: 'O que é mostrado',
  previewHint: 'Como os visitantes a veem. Nada é salvo, e o formulário não é enviado.',
  previewDirect: 'Os visitantes não veem nenhuma página',
  previewDirectText: (url) => `São redirecionados na hora para ${url}`,
  groups: {
    target: 'Para onde os visitantes vão',
    content: 'Conteúdo',
    look: 'Aparência',
    form: 'Formulário',
    privacy: 'Consentimento e privacidade',
  },
  fields: {
    targetUrl: 'Página de destino',
    mode: 'O que um clique faz',
    title: 'Título',
    text: 'Texto',
    buttonLabel: 'Botão',
    language: 'Idioma dos textos padrão',
    accentColor: 'Cor do botão',
    logo: 'Logo',
    hero: 'Imagem grande',
    askedFields: 'Pedir aos visitantes',
    consentText: 'Texto do consentimento',
    consentScope: 'O que o consentimento cobre',
    privacyUrl: 'Política de privacidade',
  },
  hints: {
    targetUrl: 'Para onde o botão leva, com https://. O Leadback acrescenta serviceId para cada visitante.',
    title: 'Vazio: o título padrão.',
    text: 'Parágrafos, listas (- um), *ênfase* e **ênfase forte**.',
    buttonLabel: 'Vazio: o rótulo padrão.',
    accentColor: 'Por exemplo #1f4fd8. O texto sobre ela fica preto ou branco, o que for mais legível.',
    logo: 'Acima do título.',
    hero: 'Ao lado do texto; em celulares, acima.',
    askedFields: 'Os visitantes precisam preencher o que você pede. Menos campos trazem mais leads.',
    consentText: 'Uma caixa de seleção com este texto. Vazio: não se pergunta.',
    consentScope: 'O que acontece com visitantes que não a marcam.',
    privacyUrl: 'Um link abaixo do formulário.',
  },
  problems: {
    slug: 'Use letras minúsculas, dígitos e hifens simples, no máximo 64.',
    targetUrl: 'Informe uma URL completa com https://, sem serviceId.',
    mode: 'Escolha uma opção.',
    title: 'No máximo 200 caracteres em uma linha.',
    text: 'No máximo 3.000 caracteres.',
    buttonLabel: 'No máximo 200 caracteres em uma linha.',
    language: 'Escolha uma opção.',
    accentColor: 'Informe uma cor como #1f4fd8.',
    logo: 'Envie uma imagem ou informe uma URL completa com https://.',
    hero: 'Envie uma imagem ou informe uma URL completa com https://.',
    askedFields: 'Escolha da lista.',
    consentText:
      'No máximo 1.000 caracteres em uma linha. Uma página que redireciona na hora não pode perguntar: remova o texto.',
    consentScope: 'Escolha uma opção.',
    privacyUrl: 'Informe uma URL completa com https://.',
  },
  modes: { page: 'Mostra esta página', direct: 'Redireciona na hora' },
  scopes: {
    sharing: 'Compartilhamento: nada é enviado às plataformas',
    personalisation: 'Personalização: os eventos são enviados só para medição',
  },
  asked: { name: 'Nome', email: 'E-mail', phone: 'Telefone' },
  used: (used, max) => `${used} de ${max} caracteres`,
  defaultColor: 'Cor padrão',
  image: {
    upload: 'Enviar uma imagem',
    replace: 'Substituir',
    remove: 'Remover',
    url: 'URL da imagem',
    useUrl: 'Usar uma URL',
    alt: 'Texto alternativo',
    altHint: 'O que a imagem mostra, para quem não a vê. Vazio se ela só decora.',
    uploaded: 'Imagem enviada',
  },
  imageProblems: {
    type: 'As páginas não podem mostrar este arquivo. Escolha um PNG, JPEG, GIF, WebP ou AVIF.',
    size: 'Esta imagem tem mais de 512 KiB. Reduza-a: imagens grandes são lentas em celulares.',
    often: 'Você enviou muitas imagens. Espere um minuto e tente de novo.',
  },
  imageSize: (width, height) => `${width} × ${height} pixels`,
  save: 'Salvar',
  saved: 'Salvo. Os visitantes veem em segundos.',
  unsaved: 'Alterações não salvas',
  allSaved: 'Tudo está salvo',
  discard: 'Descartar',
  correct: 'Corrija os campos marcados e salve.',
  leave: {
    title: 'Sair sem salvar?',
    text: 'Suas alterações nesta página não foram salvas.',
    stay: 'Ficar aqui',
    leave: 'Sair sem salvar',
  },
  conflict: {
    title: 'Esta página mudou nesse meio-tempo',
    text: 'Nada seu foi salvo ainda. Escolha para cada campo qual fica.',
    theirs: 'Da outra pessoa',
    yours: 'Seu',
    allTheirs: 'Usar tudo da outra pessoa',
    allYours: 'Manter tudo meu',
    save: 'Salvar esta escolha',
    choose: 'Escolha um para cada campo.',
    empty: 'vazio',
  },
  conflictBy: (who) => `Alterada por ${who}.`,
  conflictAlso: 'O que só você alterou fica como você escreveu.',
};

export const pagesTexts: Texts<PagesTexts> = { en: pagesEn, es: pagesEs, pt: pagesPt };
