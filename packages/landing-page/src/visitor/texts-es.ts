import type { VisitorTexts } from './visitor-texts.ts';

export const visitorEs: VisitorTexts = {
  title: 'Tus datos',
  intro: 'Qué guardamos de tus clics en páginas de este sitio y a qué plataformas se les informó.',
  nothing: 'Este navegador no dejó ningún clic aquí.',
  buffered: 'Este clic todavía se está guardando. Ya puedes retirar el consentimiento o borrarlo.',
  labels: {
    clicked: 'Fecha del clic',
    advertiser: 'Anunciante',
    campaign: 'Campaña',
    consent: 'Consentimiento',
    signal: 'Señal del navegador',
    name: 'Nombre',
    email: 'Correo electrónico',
    phone: 'Teléfono',
    address: 'Dirección IP',
    told: 'Plataformas informadas',
    reference: 'Referencia del clic',
  },
  consents: {
    given: 'Aceptado',
    refused: 'Rechazado',
    unpersonalised: 'Rechazado para publicidad personalizada',
    unasked: 'No se preguntó',
  },
  withdrawnOn: (time) => `Retirado el ${time}: no se envía nada más`,
  signalSent: 'Global Privacy Control',
  toldNobody: 'Ninguna',
  toldOn: (platform, time) => `${platform}: la última vez, el ${time}`,
  withdraw: 'Retirar el consentimiento',
  erase: 'Borrar estos datos',
  lookUpTitle: 'Buscar otro clic',
  lookUpHint: 'Los 22 caracteres después de serviceId= en la dirección de la página a la que llegaste.',
  lookUp: 'Mostrar',
  all: 'Todos los clics de este navegador',
  messages: {
    notFound:
      'Ningún clic tiene esta referencia. Revísala: las mayúsculas cuentan. Un clic de los últimos minutos puede no estar guardado todavía.',
    expired:
      'No se cambió nada: ese formulario estuvo abierto más de 30 minutos o no es de esta página. Inténtalo de nuevo.',
    withdrawn:
      'Consentimiento retirado: no se informa nada más de este clic a las plataformas. Lo que se está enviando ahora puede llegar dentro de dos minutos.',
  },
  confirm: {
    title: '¿Borrar estos datos?',
    text: 'Se borran los datos de contacto, la dirección IP, el navegador y los identificadores de este clic, y los del cliente que el anunciante registró con él. Las ventas quedan como importes sin persona. No se puede deshacer.',
    yes: 'Borrar ahora',
    no: 'Conservarlos',
  },
  asked: {
    title: 'Estamos borrando tus datos',
    text: 'Tarda un minuto. El comprobante dice qué se borró, qué queda y a qué plataformas se les había informado. Guarda su dirección: solo se muestra aquí.',
    link: 'Comprobante',
  },
  receipt: {
    title: 'Comprobante de borrado',
    states: {
      pending: 'El borrado está en curso. Vuelve a cargar esta página en un minuto.',
      done: 'Los datos están borrados.',
      failed: 'El borrado falló. El operador de este sitio tiene que revisarlo.',
    },
    isSigned: 'La firma es correcta: este comprobante se emitió aquí y no fue modificado.',
    isNotSigned: 'La firma no es correcta: no confíes en este comprobante.',
    labels: {
      id: 'Comprobante',
      askedBy: 'Pedido por',
      requested: 'Pedido el',
      finished: 'Terminado el',
      key: 'Clave',
      signature: 'Firma (Ed25519)',
    },
    askers: { visitor: 'el visitante', partner: 'el anunciante', operator: 'el operador', console: 'el anunciante' },
    signedText: 'El texto firmado',
  },
  tooMany: { title: 'Demasiadas solicitudes', text: 'Vuelve en un minuto.' },
  notNow: {
    title: 'No disponible por ahora',
    text: 'En este momento no podemos mostrar ni cambiar tus datos. Vuelve en cinco minutos.',
  },
};
