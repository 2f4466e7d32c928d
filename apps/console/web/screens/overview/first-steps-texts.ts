import type { Texts } from '../../text/language.tsx';

const firstStepsEn = {
  title: 'Until the first sale',
  intro: (done: number, all: number) =>
    `${done} of ${all} steps are done. The list follows what is done, and disappears after the first live sale.`,
  states: { done: 'Done', next: 'Next', open: 'Open' },
  mayNot: 'Your role does not do this. Ask an operator.',
  fileText: 'No developers? Import a file of sales: before it is registered, you see what each row does.',
  fileAction: 'Import a file',
  steps: {
    page: {
      title: 'Create a landing page',
      text: 'It stands between the ad and your site, records each click, and sends the visitor on. It needs a name and the URL of your site.',
      action: 'Create a page',
    },
    connection: {
      title: 'Connect an ad platform',
      text: 'Leadback tells it of your sales. You need the credentials of its account for ads.',
      action: 'Connect a platform',
    },
    click: {
      title: 'Make a test click',
      text: 'Open the page as a visitor does, and go on to your site. There, the URL has serviceId: keep its value for the test sale.',
      action: 'Open the page',
    },
    testSale: {
      title: 'Register a test sale',
      text: 'Issue a test key for your developers. Their backend registers a client with the serviceId of the test click, and a sale of this client. Tests count nowhere.',
      action: 'Issue a test key',
    },
    live: {
      title: 'Go live',
      text: 'Issue a live key, and use it in the backend in place of the test key. Then use the URL of the page in your ads.',
      action: 'Issue a live key',
    },
  },
  pageIsOff: {
    text: 'The page is there, and switched off: nobody finds it yet. Look at it, then switch it on.',
    action: 'Switch it on',
  },
  held: {
    text: 'The connection does not send at the moment: it is paused, or the platform rejects it.',
    action: 'See the connection',
  },
  hasTestKey: {
    text: 'There is a test key. The backend registers a client with the serviceId of the test click, and a sale of this client. Tests count nowhere.',
    action: 'See the keys',
  },
  hasLiveKey: {
    text: 'There is a live key. Use the URL of the page in your ads: the first live sale of a visitor who came by it appears here.',
    action: 'See the keys',
  },
};

const firstStepsEs: typeof firstStepsEn = {
  title: 'Hasta la primera venta',
  intro: (done, all) =>
    `${done} de ${all} pasos están hechos. La lista sigue lo que se hace y desaparece después de la primera venta real.`,
  states: { done: 'Hecho', next: 'Siguiente', open: 'Por hacer' },
  mayNot: 'Tu rol no hace esto. Pídeselo a un operador.',
  fileText: '¿Sin desarrolladores? Importa un archivo de ventas: antes de registrarlo, ves qué hace cada fila.',
  fileAction: 'Importar un archivo',
  steps: {
    page: {
      title: 'Crear una landing page',
      text: 'Está entre el anuncio y tu sitio, registra cada clic y envía al visitante a tu sitio. Necesita un nombre y la URL de tu sitio.',
      action: 'Crear una página',
    },
    connection: {
      title: 'Conectar una plataforma publicitaria',
      text: 'Leadback le informa tus ventas. Necesitas las credenciales de su cuenta de anuncios.',
      action: 'Conectar una plataforma',
    },
    click: {
      title: 'Hacer un clic de prueba',
      text: 'Abre la página como un visitante y sigue hasta tu sitio. Allí la URL tiene serviceId: guarda su valor para la venta de prueba.',
      action: 'Abrir la página',
    },
    testSale: {
      title: 'Registrar una venta de prueba',
      text: 'Emite una clave de prueba para tus desarrolladores. Su backend registra un cliente con el serviceId del clic de prueba, y una venta de ese cliente. Las pruebas no cuentan en ninguna parte.',
      action: 'Emitir una clave de prueba',
    },
    live: {
      title: 'Pasar a producción',
      text: 'Emite una clave de producción y úsala en el backend en lugar de la de prueba. Después usa la URL de la página en tus anuncios.',
      action: 'Emitir una clave de producción',
    },
  },
  pageIsOff: {
    text: 'La página está lista, pero desactivada: nadie la encuentra todavía. Revísala y después actívala.',
    action: 'Activarla',
  },
  held: {
    text: 'La conexión no envía en este momento: está en pausa, o la plataforma la rechaza.',
    action: 'Ver la conexión',
  },
  hasTestKey: {
    text: 'Ya hay una clave de prueba. El backend registra un cliente con el serviceId del clic de prueba, y una venta de ese cliente. Las pruebas no cuentan en ninguna parte.',
    action: 'Ver las claves',
  },
  hasLiveKey: {
    text: 'Ya hay una clave de producción. Usa la URL de la página en tus anuncios: la primera venta real de un visitante que llegó por ella aparece aquí.',
    action: 'Ver las claves',
  },
};

const firstStepsPt: typeof firstStepsEn = {
  title: 'Até a primeira venda',
  intro: (done, all) =>
    `${done} de ${all} passos estão feitos. A lista acompanha o que é feito e desaparece depois da primeira venda real.`,
  states: { done: 'Feito', next: 'Próximo', open: 'A fazer' },
  mayNot: 'Seu papel não faz isto. Peça a um operador.',
  fileText: 'Sem desenvolvedores? Importe um arquivo de vendas: antes de registrá-lo, você vê o que cada linha faz.',
  fileAction: 'Importar um arquivo',
  steps: {
    page: {
      title: 'Criar uma landing page',
      text: 'Fica entre o anúncio e o seu site, registra cada clique e leva o visitante ao seu site. Precisa de um nome e da URL do seu site.',
      action: 'Criar uma página',
    },
    connection: {
      title: 'Conectar uma plataforma de anúncios',
      text: 'O Leadback informa as suas vendas a ela. Você precisa das credenciais da conta de anúncios.',
      action: 'Conectar uma plataforma',
    },
    click: {
      title: 'Fazer um clique de teste',
      text: 'Abra a página como um visitante e siga até o seu site. Lá a URL tem serviceId: guarde o valor para a venda de teste.',
      action: 'Abrir a página',
    },
    testSale: {
      title: 'Registrar uma venda de teste',
      text: 'Emita uma chave de teste para os seus desenvolvedores. O backend registra um cliente com o serviceId do clique de teste, e uma venda desse cliente. Testes não contam em nenhum lugar.',
      action: 'Emitir uma chave de teste',
    },
    live: {
      title: 'Entrar em produção',
      text: 'Emita uma chave de produção e use-a no backend no lugar da de teste. Depois use a URL da página nos seus anúncios.',
      action: 'Emitir uma chave de produção',
    },
  },
  pageIsOff: {
    text: 'A página está pronta, mas desativada: ninguém a encontra ainda. Confira a página e depois ative-a.',
    action: 'Ativá-la',
  },
  held: {
    text: 'A conexão não envia no momento: está pausada, ou a plataforma a rejeita.',
    action: 'Ver a conexão',
  },
  hasTestKey: {
    text: 'Já há uma chave de teste. O backend registra um cliente com o serviceId do clique de teste, e uma venda desse cliente. Testes não contam em nenhum lugar.',
    action: 'Ver as chaves',
  },
  hasLiveKey: {
    text: 'Já há uma chave de produção. Use a URL da página nos seus anúncios: a primeira venda real de um visitante que chegou por ela aparece aqui.',
    action: 'Ver as chaves',
  },
};

export const firstStepsTexts: Texts<typeof firstStepsEn> = { en: firstStepsEn, es: firstStepsEs, pt: firstStepsPt };
