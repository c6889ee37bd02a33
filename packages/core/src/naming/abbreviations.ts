// What words of column names stand for: abbreviations, words of other languages and words of one meaning. A staged
// name that says a word of the raw name in another way is known by these. Written by hand, from names of columns of
// common business systems.

function table(text: string): ReadonlyMap<string, readonly string[]> {
  const pairs = text
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => line.split(/\s*:\s*/) as [string, string])
  return new Map(pairs.map(([word, meanings]) => [word, meanings.split(/\s+/)]))
}

/** Abbreviations that are not a prefix of their word, or that omit letters irregularly. */
export const ABBREVIATIONS = table(`
  c: cents code created customer count currency
  d: date day
  n: number name
  q: quantity quarter
  t: time total type
  v: value version
  f: first feature field
  l: last line
  m: middle
  id: identifier key
  no: number
  nr: number
  nbr: number
  num: number
  cd: code
  ct: count
  cnt: count
  nm: name
  dt: date datetime day
  dtm: datetime date time
  ts: timestamp time at
  tm: time
  tz: timezone zone
  st: state street status start
  sts: status
  stat: status state statistic
  addr: address
  amt: amount
  qty: quantity
  prc: price percent
  pct: percent percentage
  bal: balance
  txn: transaction
  trx: transaction
  trans: transaction
  xact: transaction
  cust: customer
  cus: customer
  usr: user
  mgr: manager
  emp: employee
  org: organization organisation
  co: company country
  ctry: country
  cntry: country
  rgn: region
  zip: postal postcode
  fax: fax
  ph: phone
  tel: telephone phone
  xref: reference external
  mob: mobile
  dob: birth birthday date
  fn: first name function
  fname: first name
  lname: last name
  mi: middle initial
  desc: description descending
  descr: description
  txt: text
  msg: message
  lbl: label
  flg: flag is has
  ind: indicator is flag
  yn: is has flag
  sk: key surrogate
  pk: key primary
  fk: key foreign
  dept: department
  div: division
  grp: group
  cat: category
  subcat: subcategory
  prod: product production
  sku: stock keeping unit product
  inv: invoice inventory
  ord: order
  po: purchase order
  so: sales order
  pmt: payment
  pymt: payment
  disc: discount
  ship: shipping shipment
  shp: shipping shipment
  shpmt: shipment
  dlvry: delivery
  whse: warehouse
  wh: warehouse
  mfr: manufacturer
  mfg: manufacturing manufacturer
  vend: vendor
  supp: supplier support
  acct: account
  gl: general ledger
  ar: accounts receivable
  ap: accounts payable
  fx: exchange foreign rate
  ccy: currency
  cur: currency current
  curr: currency current
  lang: language
  loc: location
  lat: latitude
  lng: longitude
  lon: longitude
  hgt: height
  ht: height
  ln: line last name
  cty: city county country
  gndr: gender
  act: active actual account action
  actv: active
  sys: system
  crt: created
  wgt: weight
  wt: weight
  len: length
  vol: volume
  uom: unit measure
  avg: average
  max: maximum
  min: minimum minutes
  std: standard
  tot: total
  ttl: total title
  sum: total
  seq: sequence
  ver: version
  rev: revision revenue
  src: source
  tgt: target
  dst: destination
  dest: destination
  orig: original origin
  prev: previous
  nxt: next
  lst: last list
  fst: first
  eff: effective
  exp: expiry expires expiration expense
  beg: begin start
  bgn: begin start
  strt: start
  fy: fiscal year
  yr: year
  mth: month
  mo: month
  mon: month
  wk: week
  hr: hour human resources
  hrs: hours
  sec: second seconds
  ms: milliseconds
  crtd: created
  cre: created
  upd: updated update
  updt: updated
  mod: modified
  chg: change changed charge
  del: deleted delivery
  ins: inserted insurance
  proc: processed process
  req: request required
  resp: response
  rsp: response
  auth: authorization authentication
  usr: user
  pwd: password
  ip: ip
  ua: user agent
  url: url link address
  uri: uri
  img: image
  pic: picture
  doc: document
  thumb: thumbnail
  att: attachment attribute
  attr: attribute
  val: value
  param: parameter
  cfg: configuration
  lvl: level
  pos: position
  idx: index
  nbrs: numbers
  ref: reference referrer
  rel: relationship release
  par: parent
  chld: child
  own: owner
  asgn: assigned
  sub: subscription subtotal
  subs: subscription subscriptions
  mbr: member
  pt: patient point
  dx: diagnosis
  rx: prescription
  npi: national provider identifier
  ssn: social security number
  vat: tax vat
  gst: tax
  tx: tax transaction
  int: interest internal integer
  ext: external extension
  pri: priority primary
  sev: severity
  rsn: reason
  rt: rate route
  cmt: comment
  cmnt: comment
  rmk: remark
  eml: email
  mail: email
  e: email electronic
  kunnr: customer number
  matnr: material number
  vbeln: sales document number
  posnr: item number position
  bukrs: company code
  werks: plant
  erdat: created date creation
  aedat: changed date
  ernam: created by
  lifnr: vendor number supplier
  ebeln: purchasing document number purchase order
  waers: currency
  menge: quantity
  netwr: net value amount
  mandt: client
`)

/** Words of other languages, without accents, as used in column names. */
export const TRANSLATIONS = table(`
  kunde: customer
  kunden: customer
  kundennummer: customer number
  bestell: order
  rechnungs: invoice
  liefer: delivery
  lieferung: delivery
  auftrag: order
  auftrags: order
  zahlung: payment
  zahlungs: payment
  vertrag: contract
  vertrags: contract
  geburts: birth
  gewicht: weight
  einheit: unit
  konto: account
  steuer: tax
  rabatt: discount
  firma: company
  versand: shipping
  mitarbeiter: employee
  abteilung: department
  nummer: number
  betrag: amount
  menge: quantity
  preis: price
  datum: date
  bestellung: order
  bestelldatum: order date
  rechnung: invoice
  rechnungsnummer: invoice number
  strasse: street
  ort: city town
  stadt: city
  plz: postal postcode zip code
  land: country
  vorname: first name given
  nachname: last name family
  geburtsdatum: birth date birthday
  waehrung: currency
  lieferant: supplier vendor
  artikel: article item product
  bezeichnung: description name designation
  beschreibung: description
  anzahl: count number quantity
  geloescht: deleted
  erstellt: created
  geaendert: changed updated modified
  aktiv: active
  telefon: phone telephone
  client: customer client
  clients: customer client
  nom: name last
  prenom: first name
  adresse: address
  ville: city
  pays: country
  montant: amount
  prix: price
  quantite: quantity
  commande: order
  facture: invoice
  date: date
  creation: created creation
  numero: number
  courriel: email
  libelle: label description
  fournisseur: supplier vendor
  devise: currency
  naissance: birth
  cliente: customer client
  nombre: name first
  apellido: last name surname
  apellidos: last name surname
  correo: email
  direccion: address
  ciudad: city
  pais: country
  fecha: date
  monto: amount
  importe: amount
  precio: price
  cantidad: quantity
  pedido: order
  factura: invoice
  estado: status state
  telefono: phone
  proveedor: supplier vendor
  moneda: currency
  nacimiento: birth
  alta: signup registration
  baja: cancellation termination
  activo: active
  borrado: deleted
  cidade: city
  endereco: address
  preco: price
  quantidade: quantity
  valor: value amount
  nome: name
  cognome: last name surname
  indirizzo: address
  citta: city
  prezzo: price
  importo: amount
  ordine: order
  fattura: invoice
  cliente: customer client
  klant: customer
  klantnummer: customer number
  naam: name
  voornaam: first name
  achternaam: last name
  bedrag: amount
  prijs: price
  aantal: quantity count number
  bestelling: order
  factuur: invoice
  adres: address
  plaats: city place
  postcode: postal code
  telefoon: phone
  leverancier: supplier
  kund: customer
  namn: name
  belopp: amount
  pris: price
  antal: quantity count
  belob: amount
  navn: name
  klient: customer client
  nazwa: name
  imie: first name
  nazwisko: last name
  kwota: amount
  ilosc: quantity
  cena: price
  zamowienie: order
  miasto: city
  kraj: country
`)

function sets(text: string): readonly ReadonlySet<string>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => new Set(line.trim().split(' ')))
}

/** Words of which one may stand for the other in a name: they mean the same thing of the same thing. */
export const SYNONYMS: readonly ReadonlySet<string>[] = sets(`
  id identifier key
  code number
  customer client buyer
  email mail
  phone telephone mobile
  zip postcode postal
  city town
  state province
  amount value total sum
  quantity count units
  created inserted added creation
  updated modified changed edited update
  deleted removed
  completed finished done
  start begin started from
  end finish ended until to stop
  description details text
  comment note remark
  name label
  gender sex
  surname last family
  given first fore
  vendor supplier
  product article
  invoice bill
  status state
  is flag has indicator was
  active enabled live
  canceled cancelled
  organization organisation company
  percent percentage pct
  date day time at on datetime timestamp
  effective valid
  begin effective start
  expiry expires expiration expired
  parent ancestor
  url link website
  birth birthday dob
  latitude lat
  longitude lng lon
  pay payment paid
  ship shipping shipment shipped
  bill billing billed
  order ordered purchase
  currency ccy
  sequence position
`)

/** Words that a person who searches may use for one another, and that say something else in a name. */
export const RELATED: readonly ReadonlySet<string>[] = sets(`
  id identifier key code number reference
  user member account
  amount value total sum price
  quantity count number units
  closed completed finished done
  name title label
  item product article
  percent percentage pct rate
  begin effective from start valid
  expiry expires expiration expired end
  updated modified changed edited update change
  order sequence position
`)

/** Words for the kind of value, by kind. */
export const ROLES: Readonly<
  Record<'identifier' | 'moment' | 'truth' | 'number' | 'text', ReadonlySet<string>>
> = {
  identifier: new Set('id key code number identifier reference uuid'.split(' ')),
  moment: new Set('at date time on datetime timestamp utc day local'.split(' ')),
  truth: new Set('is has was flag can should does are'.split(' ')),
  number: new Set('amount count total number quantity value'.split(' ')),
  text: new Set('name code type status text description label number value'.split(' ')),
}

/** Function words. */
export const JOINTS: ReadonlySet<string> = new Set('of by in for to the and per from a with'.split(' '))
