import type { Texts } from '../../text/language.tsx';

const clicksEn = {
  mayNot: 'Your role may look at this, but not change it.',
  guide: 'Read the guide',
  script: {
    title: 'A script on your pages',
    intro:
      'The ad leads straight to your site. One line in its head reports each click, and fills the forms with the lead reference.',
    slug: 'Name',
    slugHint: 'Lower-case letters, digits and dashes, such as my-shop. Leads and reports have this name.',
    origins: 'Sites that have the script',
    originsHint:
      'One in each line, with https:// and without a path: https://www.shop.example. With and without www. are two.',
    waits: 'Wait until visitors agree',
    waitsHint:
      'The script stores and sends nothing before that. Where it finds a consent platform, it waits in any case. Choose this if your site asks in another way, and calls leadback.consent("granted").',
    create: 'Create, and show the line',
    created: (slug: string) => `${slug} was created. Put its line into your pages.`,
    slugTaken: 'Another page has this name, or had it. Choose another.',
    problems: {
      slug: 'Use lower-case letters, digits and single dashes, at most 64.',
      origins: 'Enter at least one site, each with https:// and without a path. It must be public.',
    },
    line: 'The line for your pages',
    lineText:
      'Put it between <head> and </head> of every page to which an ad may lead, and of those with your forms. It never delays a page.',
    kind: 'Which line?',
    kinds: {
      snippet: 'The newest script, always',
      pinnedSnippet: 'This version alone, with integrity',
      plainSnippet: 'Under the name of this page',
    },
    kindHints: {
      snippet: 'Leadback keeps it up to date. The usual choice.',
      pinnedSnippet: 'Browsers refuse any other text. You change the line when you want a newer script.',
      plainSnippet: 'Also the newest. No list of ad blockers knows its name.',
    },
    csp: (host: string) =>
      `Has your site a Content-Security-Policy? Add ${host} to script-src and to connect-src. Nothing else is needed.`,
    settings: 'Sites and consent',
    save: 'Save',
    saved: 'Saved. It works within seconds.',
    testClick: 'Make a test click',
    none: [
      'Open your page with the button above: the address needs a click id or a utm parameter, else there is nothing to report.',
      'Look whether the line is in the source of the page that you open, and whether the page is published.',
      'Compare the address of your site with the list of sites: www. and another port make it another site.',
      'Look into the console of the browser: a Content-Security-Policy that blocks the script is named there.',
      'Agree in your consent banner, and switch off ad blockers for the test.',
      'A click is reported once: for a second test, use a private window.',
    ],
  },
  server: {
    title: 'Your own server',
    intro:
      'The ad leads straight to your site. Your server reports the click, and sets a cookie with the lead reference. No script, no ad blocker between.',
    request: 'The request of your server',
    requestText:
      'Send it when somebody opens a page and its address has a click id or a utm parameter. Send the address as it came, the IP address, the browser and the cookies of the visitor. The response has the lead reference, and the value for Set-Cookie.',
    key: 'You need a test key first. Tests count nowhere; use a live key when it works.',
    keys: 'Issue a test key',
    sdks: 'The SDKs for JavaScript, PHP and Python do this in one call.',
    none: [
      'The response has a lead reference? If it is null, the address had no click id and no utm parameter, or the visitor is a bot.',
      '401: the key is missing or wrong. 403: the key has not the right to register.',
      'Leads that name a page count there, and not here.',
    ],
  },
  domains: {
    title: 'Your own domain',
    intro:
      'Your pages of Leadback under your own name, such as go.shop.example: ads show your domain, and cookies stay yours. It shows the pages of this account alone.',
    add: 'Add a domain',
    name: 'Host name',
    nameHint: 'The whole name, without https://: go.shop.example. Use one on which nothing else runs.',
    create: 'Add',
    added: (name: string) => `${name} was added. Create its record in DNS next.`,
    invalid:
      'Enter a whole host name that is yours, such as go.shop.example. Not an IP address, and no host of Leadback.',
    tooMany: 'The account has as many domains as it may have. Remove one first.',
    toProve:
      'Another account has this name, or had it until a few days ago. If it is yours, create this record in its DNS, then add it again:',
    empty: 'No domain yet',
    emptyText: 'Add the name, then create the record that you see here. It works as soon as DNS knows it.',
    record: 'The record to create at the provider of your DNS',
    type: 'Type',
    host: 'Name',
    value: 'Value',
    hostHint:
      'Some providers add your domain themselves: then enter only what stands before it. Use no proxy in front (at Cloudflare: DNS only).',
    states: { waiting: 'Waits for DNS', active: 'Works', wrong: 'Leads elsewhere' },
    active: 'The name leads to Leadback. Its certificate is made at the first visit. Use it in your ads.',
    waiting: 'Not checked yet. It is checked by itself, every few minutes at first.',
    findings: {
      missing: 'DNS has no record for this name yet. A new record may take some minutes, sometimes an hour.',
      otherName: (name: string) =>
        `The name leads to ${name}, and not to Leadback. Replace that record by the one below.`,
      otherAddresses: (addresses: string) =>
        `The name leads to ${addresses}, and not to Leadback. Delete those records, and create the one below. Is a proxy in front, such as Cloudflare? Switch it off for this name.`,
      someOtherAddresses: (addresses: string) =>
        `A part of the visitors gets to ${addresses}. Delete those records; the one below is right.`,
    },
    checkedAt: 'Checked',
    check: 'Check now',
    unanswered: 'DNS did not answer, so nothing has changed. Try again in a minute.',
    proof: 'Keep the name for this account',
    proofText:
      'Optional, and recommended: with this record, no other account can take the name, for a week not even after you remove it.',
    isProved: 'Proved: no other account can take it.',
    remove: 'Remove…',
    removeTitle: (name: string) => `Remove ${name}`,
    removeText: (name: string) =>
      `Within seconds, ${name} shows no page any more: visitors who click an ad that leads there see an error, and become no leads. The pages stay, at their other addresses.`,
    removeAction: 'Remove',
    removed: (name: string) => `${name} was removed.`,
  },
  arrivals: {
    title: 'Do clicks arrive?',
    waiting: 'Waiting for the first click…',
    waitingText: 'This page looks every five seconds. You need not reload it.',
    arrived: 'Clicks arrive',
    last: 'Last click',
    from: (source: string) => `from ${source}`,
    campaign: (campaign: string) => `campaign ${campaign}`,
    unknown: 'an unknown source',
    isTest: 'Reported with a test key: it counts nowhere.',
    leads: (written: string) => `${written} leads in the last 30 days`,
    none: 'Nothing arrives?',
  },
};

const clicksEs: typeof clicksEn = {
  mayNot: 'Tu rol puede ver esto, pero no cambiarlo.',
  guide: 'Leer la guía',
  script: {
    title: 'Un script en tus páginas',
    intro:
      'El anuncio lleva directo a tu sitio. Una línea en el head informa cada clic y completa los formularios con la referencia del lead.',
    slug: 'Nombre',
    slugHint: 'Minúsculas, dígitos y guiones, por ejemplo mi-tienda. Los leads y los informes llevan este nombre.',
    origins: 'Sitios que tienen el script',
    originsHint:
      'Uno por línea, con https:// y sin ruta: https://www.tienda.example. Con www. y sin www. son dos sitios distintos.',
    waits: 'Esperar hasta que los visitantes acepten',
    waitsHint:
      'Antes de eso, el script no guarda ni envía nada. Donde encuentra una plataforma de consentimiento, espera siempre. Elígelo si tu sitio pregunta de otra manera y llama a leadback.consent("granted").',
    create: 'Crear y ver la línea',
    created: (slug) => `${slug} está creada. Pon su línea en tus páginas.`,
    slugTaken: 'Otra página tiene o tuvo este nombre. Elige otro.',
    problems: {
      slug: 'Usa minúsculas, dígitos y guiones simples, hasta 64.',
      origins: 'Escribe al menos un sitio, cada uno con https:// y sin ruta. Debe ser público.',
    },
    line: 'La línea para tus páginas',
    lineText:
      'Ponla entre <head> y </head> de todas las páginas a las que puede llevar un anuncio y de las que tienen tus formularios. Nunca demora una página.',
    kind: '¿Qué línea?',
    kinds: {
      snippet: 'El script más nuevo, siempre',
      pinnedSnippet: 'Solo esta versión, con integrity',
      plainSnippet: 'Con el nombre de esta página',
    },
    kindHints: {
      snippet: 'Leadback lo mantiene al día. Es la opción habitual.',
      pinnedSnippet:
        'Los navegadores rechazan cualquier otro texto. Tú cambias la línea cuando quieras un script más nuevo.',
      plainSnippet: 'También el más nuevo. Ninguna lista de bloqueadores conoce su nombre.',
    },
    csp: (host) =>
      `¿Tu sitio tiene una Content-Security-Policy? Agrega ${host} a script-src y a connect-src. No hace falta nada más.`,
    settings: 'Sitios y consentimiento',
    save: 'Guardar',
    saved: 'Guardado. Funciona en segundos.',
    testClick: 'Hacer un clic de prueba',
    none: [
      'Abre tu página con el botón de arriba: la dirección necesita un id de clic o un parámetro utm; si no, no hay nada que informar.',
      'Mira si la línea está en el código de la página que abres y si la página está publicada.',
      'Compara la dirección de tu sitio con la lista de sitios: www. u otro puerto lo hacen otro sitio.',
      'Mira la consola del navegador: ahí se nombra una Content-Security-Policy que bloquea el script.',
      'Acepta en tu aviso de consentimiento y apaga los bloqueadores de anuncios para la prueba.',
      'Cada clic se informa una vez: para una segunda prueba usa una ventana privada.',
    ],
  },
  server: {
    title: 'Tu propio servidor',
    intro:
      'El anuncio lleva directo a tu sitio. Tu servidor informa el clic y deja una cookie con la referencia del lead. Sin script y sin bloqueadores en el medio.',
    request: 'La petición de tu servidor',
    requestText:
      'Envíala cuando alguien abre una página cuya dirección tiene un id de clic o un parámetro utm. Envía la dirección tal como llegó, la dirección IP, el navegador y las cookies del visitante. La respuesta trae la referencia del lead y el valor para Set-Cookie.',
    key: 'Primero necesitas una clave de prueba. Las pruebas no cuentan en ningún lado; usa una clave real cuando funcione.',
    keys: 'Emitir una clave de prueba',
    sdks: 'Los SDK para JavaScript, PHP y Python lo hacen en una llamada.',
    none: [
      '¿La respuesta trae una referencia? Si es null, la dirección no tenía id de clic ni parámetro utm, o el visitante es un bot.',
      '401: la clave falta o está mal. 403: la clave no tiene permiso para registrar.',
      'Los leads que nombran una página cuentan en esa página y no aquí.',
    ],
  },
  domains: {
    title: 'Tu propio dominio',
    intro:
      'Tus páginas de Leadback con tu propio nombre, por ejemplo go.tienda.example: los anuncios muestran tu dominio y las cookies son tuyas. Muestra solo las páginas de esta cuenta.',
    add: 'Agregar un dominio',
    name: 'Nombre del host',
    nameHint: 'El nombre completo, sin https://: go.tienda.example. Usa uno en el que no funcione otra cosa.',
    create: 'Agregar',
    added: (name) => `${name} está agregado. Ahora crea su registro en el DNS.`,
    invalid:
      'Escribe un nombre completo que sea tuyo, por ejemplo go.tienda.example. No una dirección IP ni un host de Leadback.',
    tooMany: 'La cuenta tiene todos los dominios que puede tener. Quita uno primero.',
    toProve:
      'Otra cuenta tiene este nombre, o lo tuvo hasta hace unos días. Si es tuyo, crea este registro en su DNS y agrégalo otra vez:',
    empty: 'Todavía no hay dominios',
    emptyText: 'Agrega el nombre y crea el registro que verás aquí. Funciona apenas el DNS lo conoce.',
    record: 'El registro que debes crear en tu proveedor de DNS',
    type: 'Tipo',
    host: 'Nombre',
    value: 'Valor',
    hostHint:
      'Algunos proveedores agregan tu dominio solos: entonces escribe solo lo que va antes. Sin proxy delante (en Cloudflare: solo DNS).',
    states: { waiting: 'Espera el DNS', active: 'Funciona', wrong: 'Lleva a otro lado' },
    active: 'El nombre lleva a Leadback. Su certificado se crea con la primera visita. Úsalo en tus anuncios.',
    waiting: 'Todavía sin revisar. Se revisa solo, al principio cada pocos minutos.',
    findings: {
      missing:
        'El DNS todavía no tiene un registro para este nombre. Uno nuevo puede tardar minutos, a veces una hora.',
      otherName: (name) => `El nombre lleva a ${name} y no a Leadback. Reemplaza ese registro por el de abajo.`,
      otherAddresses: (addresses) =>
        `El nombre lleva a ${addresses} y no a Leadback. Borra esos registros y crea el de abajo. ¿Hay un proxy delante, como Cloudflare? Apágalo para este nombre.`,
      someOtherAddresses: (addresses) =>
        `Una parte de los visitantes llega a ${addresses}. Borra esos registros; el de abajo es el correcto.`,
    },
    checkedAt: 'Revisado',
    check: 'Revisar ahora',
    unanswered: 'El DNS no respondió, así que nada cambió. Prueba otra vez en un minuto.',
    proof: 'Asegurar el nombre para esta cuenta',
    proofText:
      'Opcional y recomendado: con este registro ninguna otra cuenta puede quedarse con el nombre, ni durante la semana después de que lo quites.',
    isProved: 'Demostrado: ninguna otra cuenta puede quedarse con él.',
    remove: 'Quitar…',
    removeTitle: (name) => `Quitar ${name}`,
    removeText: (name) =>
      `En segundos, ${name} deja de mostrar páginas: quien haga clic en un anuncio que lleva ahí ve un error y no se convierte en lead. Las páginas quedan, en sus otras direcciones.`,
    removeAction: 'Quitar',
    removed: (name) => `${name} está quitado.`,
  },
  arrivals: {
    title: '¿Llegan clics?',
    waiting: 'Esperando el primer clic…',
    waitingText: 'Esta página mira cada cinco segundos. No hace falta recargarla.',
    arrived: 'Llegan clics',
    last: 'Último clic',
    from: (source) => `de ${source}`,
    campaign: (campaign) => `campaña ${campaign}`,
    unknown: 'origen desconocido',
    isTest: 'Informado con una clave de prueba: no cuenta en ningún lado.',
    leads: (written) => `${written} leads en los últimos 30 días`,
    none: '¿No llega nada?',
  },
};

const clicksPt: typeof clicksEn = {
  mayNot: 'Seu papel pode ver isto, mas não alterar.',
  guide: 'Ler o guia',
  script: {
    title: 'Um script nas suas páginas',
    intro:
      'O anúncio leva direto ao seu site. Uma linha no head informa cada clique e preenche os formulários com a referência do lead.',
    slug: 'Nome',
    slugHint: 'Letras minúsculas, dígitos e hifens, por exemplo minha-loja. Os leads e os relatórios têm este nome.',
    origins: 'Sites que têm o script',
    originsHint: 'Um por linha, com https:// e sem caminho: https://www.loja.example. Com e sem www. são dois sites.',
    waits: 'Esperar até que os visitantes aceitem',
    waitsHint:
      'Antes disso, o script não guarda nem envia nada. Onde encontra uma plataforma de consentimento, ele espera sempre. Escolha isto se o seu site pergunta de outra forma e chama leadback.consent("granted").',
    create: 'Criar e ver a linha',
    created: (slug) => `${slug} foi criada. Coloque a linha nas suas páginas.`,
    slugTaken: 'Outra página tem ou teve este nome. Escolha outro.',
    problems: {
      slug: 'Use letras minúsculas, dígitos e hifens simples, no máximo 64.',
      origins: 'Informe pelo menos um site, cada um com https:// e sem caminho. Ele precisa ser público.',
    },
    line: 'A linha para as suas páginas',
    lineText:
      'Coloque-a entre <head> e </head> de todas as páginas às quais um anúncio pode levar e das que têm os seus formulários. Ela nunca atrasa uma página.',
    kind: 'Qual linha?',
    kinds: {
      snippet: 'O script mais novo, sempre',
      pinnedSnippet: 'Só esta versão, com integrity',
      plainSnippet: 'Com o nome desta página',
    },
    kindHints: {
      snippet: 'O Leadback o mantém atualizado. É a escolha habitual.',
      pinnedSnippet:
        'Os navegadores recusam qualquer outro texto. Você troca a linha quando quiser um script mais novo.',
      plainSnippet: 'Também o mais novo. Nenhuma lista de bloqueadores conhece o nome.',
    },
    csp: (host) =>
      `O seu site tem uma Content-Security-Policy? Acrescente ${host} a script-src e a connect-src. Nada mais é preciso.`,
    settings: 'Sites e consentimento',
    save: 'Salvar',
    saved: 'Salvo. Funciona em segundos.',
    testClick: 'Fazer um clique de teste',
    none: [
      'Abra a sua página com o botão acima: o endereço precisa de um id de clique ou de um parâmetro utm; senão, não há o que informar.',
      'Veja se a linha está no código da página que você abre e se a página está publicada.',
      'Compare o endereço do seu site com a lista de sites: www. ou outra porta fazem dele outro site.',
      'Olhe o console do navegador: uma Content-Security-Policy que bloqueia o script aparece ali.',
      'Aceite no seu aviso de consentimento e desligue os bloqueadores de anúncios para o teste.',
      'Cada clique é informado uma vez: para um segundo teste, use uma janela privada.',
    ],
  },
  server: {
    title: 'O seu próprio servidor',
    intro:
      'O anúncio leva direto ao seu site. O seu servidor informa o clique e grava um cookie com a referência do lead. Sem script e sem bloqueadores no meio.',
    request: 'A requisição do seu servidor',
    requestText:
      'Envie-a quando alguém abre uma página cujo endereço tem um id de clique ou um parâmetro utm. Envie o endereço como chegou, o endereço IP, o navegador e os cookies do visitante. A resposta traz a referência do lead e o valor para Set-Cookie.',
    key: 'Primeiro você precisa de uma chave de teste. Testes não contam em lugar nenhum; use uma chave real quando funcionar.',
    keys: 'Emitir uma chave de teste',
    sdks: 'Os SDKs para JavaScript, PHP e Python fazem isto em uma chamada.',
    none: [
      'A resposta traz uma referência? Se for null, o endereço não tinha id de clique nem parâmetro utm, ou o visitante é um bot.',
      '401: a chave falta ou está errada. 403: a chave não tem o direito de registrar.',
      'Os leads que nomeiam uma página contam nela, e não aqui.',
    ],
  },
  domains: {
    title: 'O seu próprio domínio',
    intro:
      'As suas páginas do Leadback com o seu próprio nome, por exemplo go.loja.example: os anúncios mostram o seu domínio e os cookies são seus. Ele mostra só as páginas desta conta.',
    add: 'Acrescentar um domínio',
    name: 'Nome do host',
    nameHint: 'O nome completo, sem https://: go.loja.example. Use um em que nada mais funcione.',
    create: 'Acrescentar',
    added: (name) => `${name} foi acrescentado. Agora crie o registro dele no DNS.`,
    invalid:
      'Informe um nome completo que seja seu, por exemplo go.loja.example. Não um endereço IP nem um host do Leadback.',
    tooMany: 'A conta tem todos os domínios que pode ter. Remova um primeiro.',
    toProve:
      'Outra conta tem este nome, ou o teve até poucos dias atrás. Se ele é seu, crie este registro no DNS dele e acrescente-o de novo:',
    empty: 'Ainda não há domínios',
    emptyText: 'Acrescente o nome e crie o registro que aparece aqui. Funciona assim que o DNS o conhece.',
    record: 'O registro a criar no provedor do seu DNS',
    type: 'Tipo',
    host: 'Nome',
    value: 'Valor',
    hostHint:
      'Alguns provedores acrescentam o seu domínio sozinhos: então informe só o que vem antes. Sem proxy na frente (na Cloudflare: somente DNS).',
    states: { waiting: 'Espera o DNS', active: 'Funciona', wrong: 'Leva a outro lugar' },
    active: 'O nome leva ao Leadback. O certificado é criado na primeira visita. Use-o nos seus anúncios.',
    waiting: 'Ainda não verificado. É verificado sozinho, no começo a cada poucos minutos.',
    findings: {
      missing: 'O DNS ainda não tem um registro para este nome. Um novo pode levar minutos, às vezes uma hora.',
      otherName: (name) => `O nome leva a ${name}, e não ao Leadback. Troque esse registro pelo de baixo.`,
      otherAddresses: (addresses) =>
        `O nome leva a ${addresses}, e não ao Leadback. Apague esses registros e crie o de baixo. Há um proxy na frente, como a Cloudflare? Desligue-o para este nome.`,
      someOtherAddresses: (addresses) =>
        `Uma parte dos visitantes chega a ${addresses}. Apague esses registros; o de baixo é o certo.`,
    },
    checkedAt: 'Verificado',
    check: 'Verificar agora',
    unanswered: 'O DNS não respondeu, então nada mudou. Tente de novo em um minuto.',
    proof: 'Garantir o nome para esta conta',
    proofText:
      'Opcional e recomendado: com este registro, nenhuma outra conta pode tomar o nome, nem na semana depois de você removê-lo.',
    isProved: 'Comprovado: nenhuma outra conta pode tomá-lo.',
    remove: 'Remover…',
    removeTitle: (name) => `Remover ${name}`,
    removeText: (name) =>
      `Em segundos, ${name} deixa de mostrar páginas: quem clica em um anúncio que leva até lá vê um erro e não vira lead. As páginas ficam, nos seus outros endereços.`,
    removeAction: 'Remover',
    removed: (name) => `${name} foi removido.`,
  },
  arrivals: {
    title: 'Chegam cliques?',
    waiting: 'Esperando o primeiro clique…',
    waitingText: 'Esta página olha a cada cinco segundos. Não é preciso recarregá-la.',
    arrived: 'Chegam cliques',
    last: 'Último clique',
    from: (source) => `de ${source}`,
    campaign: (campaign) => `campanha ${campaign}`,
    unknown: 'origem desconhecida',
    isTest: 'Informado com uma chave de teste: não conta em lugar nenhum.',
    leads: (written) => `${written} leads nos últimos 30 dias`,
    none: 'Não chega nada?',
  },
};

export const clicksTexts: Texts<typeof clicksEn> = { en: clicksEn, es: clicksEs, pt: clicksPt };
