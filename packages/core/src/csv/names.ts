/** A name of a column without case, accents, blanks and marks: `Número de orden` is `numerodeorden`. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Also what stands in brackets at the end: `Código de referencia (external_reference)`. */
export const plainNames = (name: string): readonly string[] => {
  const inBrackets = /\(([\w ]+)\)\s*$/.exec(name)?.[1];
  return inBrackets === undefined ? [plainName(name)] : [plainName(name), plainName(inBrackets)];
};

const client = [
  'clientexternalreference',
  'customerid',
  'clientid',
  'idcliente',
  'iddelcliente',
  'iddocliente',
  'clienteid',
  'customernumber',
  'numerodecliente',
  'numerodocliente',
  'codigodecliente',
  'codigodocliente',
  'codigocliente',
  'referenciaexternadelcliente',
  'referenciaexternadocliente',
  'externid',
];

/**
 * What people call our fields in English, Spanish and Portuguese, as `plainName` writes it. If a file has several of one field, the first of
 * these counts.
 */
export const namesOfFields: Readonly<Record<string, readonly string[]>> = {
  conversionExternalReference: [
    'conversionexternalreference',
    'orderid',
    'ordernumber',
    'orderno',
    'order',
    'saleid',
    'numerodeorden',
    'numerodepedido',
    'numerodopedido',
    'nrodeorden',
    'nropedido',
    'idorden',
    'idpedido',
    'iddelpedido',
    'iddopedido',
    'idventa',
    'idvenda',
    'orden',
    'pedido',
    'transactionid',
    'referenciaexternadelaconversion',
    'referenciaexternadelaventa',
    'referenciaexternadaconversao',
    'referenciaexternadavenda',
  ],
  clientExternalReference: client,
  externalReference: ['externalreference', 'referenciaexterna', ...client],
  leadReference: ['leadreference', 'serviceid', 'referenciadellead', 'referenciadolead'],
  email: [
    'email',
    'emailaddress',
    'customeremail',
    'billingemail',
    'emailbilling',
    'mail',
    'correo',
    'correoelectronico',
    'emaildelcliente',
    'emaildocliente',
    'enderecodeemail',
  ],
  amount: [
    'amount',
    'total',
    'ordertotal',
    'totalamount',
    'importe',
    'monto',
    'valor',
    'importetotal',
    'montototal',
    'valortotal',
    'totaldelaorden',
    'totaldelpedido',
    'totaldopedido',
    'value',
    'conversionvalue',
    'revenue',
  ],
  currency: [
    'currency',
    'currencycode',
    'ordercurrency',
    'conversioncurrency',
    'moneda',
    'moeda',
    'divisa',
    'codigodemoneda',
    'codigodamoeda',
  ],
  occurredAt: [
    'occurredat',
    'paidat',
    'fechadepago',
    'datadopagamento',
    'datadepagamento',
    'orderdate',
    'fechadelaorden',
    'fechadelpedido',
    'datadopedido',
    'fechadeventa',
    'datadavenda',
    'date',
    'datetime',
    'fecha',
    'fechayhora',
    'data',
    'dataehora',
    'createdat',
    'eventtime',
    'conversiontime',
    'timestamp',
  ],
  name: [
    'name',
    'fullname',
    'customername',
    'billingname',
    'nombre',
    'nombrecompleto',
    'nombreyapellido',
    'nombredelcomprador',
    'nombredelcliente',
    'nome',
    'nomecompleto',
    'nomedocomprador',
    'nomedocliente',
  ],
  phoneNumber: ['phonenumber', 'phone', 'billingphone', 'telefono', 'telefone', 'celular', 'mobile', 'whatsapp'],
  eventName: ['eventname', 'conversionname'],
  netAmount: ['netamount', 'margin', 'margen', 'margem'],
};

export const knownExports = [
  'shopify',
  'woocommerce',
  'tiendanube',
  'mercadopago',
  'stripe',
  'google',
  'meta',
] as const;
export type KnownExport = (typeof knownExports)[number];

/** A file that a shop or an ad platform writes. Names are as `plainName` writes them. */
export interface ExportShape {
  readonly kind: KnownExport;
  /** Names that only this file has together, one of each. */
  readonly signature: readonly (readonly string[])[];
  /** For each of our fields: its column, the first that the file has. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Which rows are sales: what the status of a paid order reads like. Others are left out, and counted. */
  readonly paid?: { readonly columns: readonly string[]; readonly values: readonly string[] };
  /** Orders have a row for each product: the column that says of which order a row is. */
  readonly groupedBy?: readonly string[];
  readonly dateOrder?: 'dmy';
  readonly timeZone?: string;
  /** Currencies in small letters. */
  readonly hasSmallCurrencies?: boolean;
}

const paid = [
  'paid',
  'partiallyrefunded',
  'pagado',
  'pagada',
  'pago',
  'paga',
  'recibido',
  'recebido',
  'confirmado',
  'aprobado',
  'aprovado',
  'approved',
  'succeeded',
];

export const exportShapes: readonly ExportShape[] = [
  {
    kind: 'shopify',
    signature: [['name'], ['financialstatus'], ['lineitemname', 'lineitemquantity']],
    fields: {
      conversionExternalReference: ['id', 'name'],
      amount: ['total'],
      currency: ['currency'],
      email: ['email'],
      occurredAt: ['paidat', 'createdat'],
      name: ['billingname', 'shippingname'],
      phoneNumber: ['phone', 'billingphone'],
    },
    paid: { columns: ['financialstatus'], values: paid },
    groupedBy: ['name'],
  },
  {
    kind: 'tiendanube',
    signature: [
      ['numerodeorden', 'numerodopedido'],
      ['estadodelpago', 'statusdopagamento'],
    ],
    fields: {
      conversionExternalReference: [
        'identificadordelaorden',
        'identificadordopedido',
        'numerodeorden',
        'numerodopedido',
      ],
      amount: ['total'],
      currency: ['moneda', 'moeda'],
      email: ['email'],
      occurredAt: ['fechadepago', 'datadopagamento', 'datadepagamento', 'fecha', 'data'],
      name: ['nombredelcomprador', 'nomedocomprador'],
      phoneNumber: ['telefono', 'telefone'],
    },
    paid: { columns: ['estadodelpago', 'statusdopagamento'], values: paid },
    groupedBy: ['numerodeorden', 'numerodopedido'],
    dateOrder: 'dmy',
  },
  {
    kind: 'mercadopago',
    signature: [['externalreference'], ['transactionamount'], ['transactiontype', 'status', 'operationid']],
    fields: {
      conversionExternalReference: ['externalreference', 'sourceid', 'operationid'],
      amount: ['transactionamount'],
      currency: ['transactioncurrency', 'currencyid'],
      email: ['payeremail', 'counterpartemail'],
      occurredAt: ['transactiondate', 'dateapproved', 'datecreated'],
      name: ['payername', 'counterpartname'],
    },
    paid: { columns: ['transactiontype', 'status'], values: ['settlement', ...paid] },
  },
  {
    kind: 'stripe',
    signature: [['id'], ['createddateutc', 'createdutc'], ['amount'], ['status', 'paymentstatus', 'customeremail']],
    fields: {
      conversionExternalReference: ['id'],
      leadReference: ['leadreferencemetadata', 'serviceidmetadata', 'clientreferenceid'],
      amount: ['amount'],
      currency: ['currency'],
      email: ['customeremail'],
      occurredAt: ['createddateutc', 'createdutc'],
      name: ['customername', 'carddname', 'cardname'],
      phoneNumber: ['customerphone'],
    },
    paid: { columns: ['status', 'paymentstatus'], values: paid },
    timeZone: 'UTC',
    hasSmallCurrencies: true,
  },
  {
    kind: 'google',
    signature: [['googleclickid', 'gbraid', 'wbraid'], ['conversionname'], ['conversiontime']],
    fields: {
      conversionExternalReference: ['orderid'],
      amount: ['conversionvalue'],
      currency: ['conversioncurrency'],
      email: ['email'],
      phoneNumber: ['phonenumber'],
      occurredAt: ['conversiontime'],
      eventName: ['conversionname'],
    },
  },
  {
    kind: 'meta',
    signature: [['eventname'], ['eventtime'], ['value']],
    fields: {
      conversionExternalReference: ['orderid'],
      clientExternalReference: ['externid'],
      amount: ['value'],
      currency: ['currency'],
      email: ['email'],
      phoneNumber: ['phone'],
      occurredAt: ['eventtime'],
      eventName: ['eventname'],
    },
  },
  {
    kind: 'woocommerce',
    signature: [
      ['ordernumber', 'orderid', 'order'],
      ['nrevenue', 'ordertotal', 'ordertotalamount', 'ordertotalamounttotal'],
      ['status', 'orderstatus'],
    ],
    fields: {
      conversionExternalReference: ['orderid', 'ordernumber', 'order'],
      clientExternalReference: ['customerid', 'customeruserid', 'userid'],
      amount: ['ordertotal', 'ordertotalamount', 'nrevenue'],
      currency: ['ordercurrency', 'currency'],
      email: ['billingemail', 'emailbilling', 'customeremail', 'email'],
      occurredAt: ['paiddate', 'datepaid', 'orderdate', 'date'],
      phoneNumber: ['billingphone', 'phonebilling'],
    },
    paid: {
      columns: ['status', 'orderstatus'],
      values: [
        ...paid,
        'completed',
        'processing',
        'wccompleted',
        'wcprocessing',
        'completado',
        'completada',
        'procesando',
        'concluido',
        'concluida',
        'processando',
      ],
    },
  },
];
