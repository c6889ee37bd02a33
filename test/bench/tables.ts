import type { GenerateItem } from '@stagecraft/core'
import type { Column } from '@stagecraft/spec'
import { createRandom, type Random } from '../../packages/demo/src/random.ts'

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

const NOUNS = wordsOf(`
  account address adjustment agent agreement allocation allowance amendment appointment approval article asset
  attendance attribute auction audience audit balance bank basket batch benefit bid bill bonus booking branch brand
  budget building bundle buyer calendar call campaign cancellation candidate card carrier cart case catalog category
  certificate channel charge charter city claim class client clinic collection color commission commitment company
  complaint component condition connection consent consignment contact container contract contractor contribution
  conversation conversion cost counterparty country county coupon course courier coverage credit currency customer
  cycle deal dealer debit debt deduction delay delivery demand department deposit depot design destination device
  diagnosis discount dispatch dispute district document donation donor draft driver duration earning edition element
  email employee employer engine engagement enrollment entity entry enquiry equipment error estimate event evidence
  examination exception exchange expense experiment export extension facility factory feature fee feedback field
  fleet flight folder forecast format franchise freight fuel fund garage gateway gift grade grant group guarantee
  guest harvest holder holiday hospital hotel household identity image import incentive incident income industry
  ingredient inspection installment instruction insurance interest interview inventory investment invoice issue item
  journal journey jurisdiction keyword label language lead league lease leave ledger lender lesson letter level
  liability license limit line link listing load loan lobby location locker lot luggage machine maintenance manager
  mandate manifest manufacturer margin market material measurement media meeting member membership menu merchant
  message meter method milestone mission module mortgage movement network notice objective obligation offer office
  opening operation operator opportunity option order organization origin outlet owner package page pallet parcel
  parent partner party passenger patient pattern payee payer payment payroll penalty pension period permit person
  phase phone photo pipeline plan plant platform player policy pool portfolio position postage premium prescription
  price principal priority procedure product profile program project promotion property proposal prospect provider
  publication purchase quality quantity quarter query question queue quota quote rank rate rating reader reason
  rebate receipt recipe recipient record referral refund region register registration reimbursement reminder rental
  repair replacement report request reservation resource response restaurant result retailer return revenue review
  reward risk role room route royalty rule salary sale sample satisfaction saving schedule school score screen script
  season seat section sector segment seller sensor series service session settlement shelf shift shipment shop
  signature site skill slot society source space sponsor staff stage statement station stock storage store stream
  street student studio subject submission subscriber subscription subsidy supplier supply surcharge survey system
  target tariff task tax team template tenant term terminal territory theme ticket title token tool topic tour trade
  trail training transaction transfer transit treatment trip truck trust tuition tutorial unit upload usage user
  utility vacancy valuation variant vehicle vendor venue version vessel view visit visitor voucher wage wallet
  warehouse warranty waste website weight wholesaler window workflow workshop yield zone
`)

const MODIFIERS = wordsOf(`
  accepted active actual additional adjusted advance agreed annual approved assigned associated available average
  backup base basic billed blocked booked bulk calculated cancelled certified closing combined commercial committed
  common completed confirmed converted corporate corrected cumulative current custom daily deferred delivered detailed
  digital direct domestic double draft due early effective eligible emergency entered estimated excluded executive
  expected expired express external extra fair fallback final financial first fixed flexible foreign former forward
  free frequent frozen full general global gross guaranteed hidden historical hourly identified inbound included
  incremental indirect individual initial inner instant insured internal introductory invoiced joint judicial junior
  known landed large last late leading legal linked listed local locked long lost main major manual marginal master
  matched maximum mean medical merged minimum minor missing mobile monthly multiple municipal mutual national native
  negotiated net new nominal normal official onboard onward open opening optional ordered ordinary original other
  outbound outstanding overall overdue paid partial past pending permanent personal physical planned posted potential
  preferred previous primary prior private processed projected promised proposed provisional public qualified quarterly
  raw real realized recent recommended recurring reduced referred refunded regional registered regular related released
  remaining remote renewed replaced reported requested required reserved residual retail returned reversed revised sales
  scheduled seasonal second secondary secured selected senior separate shared shipped short signed single social special
  specific standard standing starting statutory stored strategic suggested surplus suspended taxable technical temporary
  third total trading tracked transferred typical unbilled unpaid updated upper urgent valid variable verified virtual
  visible void voluntary weekly weighted whole wholesale working yearly
`)

/** What stands behind a term in a name, and the types that such columns have. */
const ENDINGS: readonly (readonly [ending: string, types: readonly string[]])[] = [
  ['', ['text', 'character varying(255)', 'character varying(64)', 'character varying(40)', 'jsonb']],
  ['_name', ['text', 'character varying(255)', 'character varying(120)']],
  ['_id', ['bigint', 'integer', 'uuid', 'character varying(36)']],
  ['_code', ['character varying(12)', 'character(3)', 'character(8)', 'text']],
  ['_status', ['text', 'character varying(20)', 'smallint']],
  ['_type', ['text', 'character varying(30)']],
  ['_amount', ['numeric(18,2)', 'numeric(12,4)', 'numeric(38,9)', 'double precision']],
  ['_count', ['integer', 'bigint', 'smallint']],
  ['_rate', ['numeric(9,6)', 'real', 'double precision']],
  ['_at', ['timestamp with time zone', 'timestamp without time zone', 'timestamp(3) without time zone']],
  ['_date', ['date', 'timestamp without time zone']],
  ['_note', ['text', 'character varying(2000)']],
  ['_flag', ['boolean', 'character(1)', 'smallint']],
  ['_payload', ['jsonb', 'json', 'text']],
]

/** Columns that most tables of a database share. */
const SHARED: readonly (readonly [name: string, type: string])[] = [
  ['created_at', 'timestamp with time zone'],
  ['updated_at', 'timestamp with time zone'],
  ['status', 'character varying(20)'],
  ['name', 'text'],
  ['description', 'text'],
  ['is_active', 'boolean'],
  ['tenant_id', 'uuid'],
]

/** How many terms a database of this kind has. */
const TERMS = 4000

/**
 * Returns tables as they come from a PostgreSQL database, of names, types and comments that are the same on every
 * machine. A quarter of the columns has a comment; a printer finds few texts that it printed before.
 */
export function makeTables(tables: number, columns: number): readonly GenerateItem[] {
  const random = createRandom('stagecraft bench')
  const terms = Array.from({ length: TERMS }, () => makeTerm(random))
  return Array.from({ length: tables }, (_, table): GenerateItem => ({
    request: {
      type: 'staging',
      source: `raw.shop_${Math.floor(table / 100)}.${random.pick(terms)}_${table}`,
      options: { addTests: true, addDocs: true },
    },
    table: { columns: makeColumns(columns, terms, random), primaryKey: ['id'] },
  }))
}

/** One noun, mostly with a modifier or a second noun in front. */
function makeTerm(random: Random): string {
  const noun = random.pick(NOUNS)
  if (random.chance(0.1)) return noun
  return `${random.pick(random.chance(0.6) ? MODIFIERS : NOUNS)}_${noun}`
}

function makeColumns(count: number, terms: readonly string[], random: Random): readonly Column[] {
  const columns = new Map<string, Column>([['id', { name: 'id', type: 'bigint', nullable: false }]])
  for (const [name, type] of SHARED) {
    if (columns.size < count && random.chance(0.5))
      columns.set(name, { name, type, nullable: random.chance(0.5) })
  }
  while (columns.size < count) {
    const column = makeColumn(terms, random)
    columns.set(column.name.toLowerCase(), column)
  }
  return [...columns.values()]
}

function makeColumn(terms: readonly string[], random: Random): Column {
  const term = random.pick(terms)
  const [ending, types] = random.pick(ENDINGS)
  const snake = term + ending
  const name = inOnePiece(random.chance(0.2) ? toCamel(snake) : snake)
  const type = random.pick(types)
  const nullable = random.chance(0.7)
  if (!random.chance(0.25)) return { name, type, nullable }
  return { name, type, nullable, comment: inOnePiece(makeComment(term, terms, random)) }
}

/** The text as a driver hands it over, not as the engine keeps texts that were put together. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}

function toCamel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function makeComment(term: string, terms: readonly string[], random: Random): string {
  const subject = term.replaceAll('_', ' ')
  const other = (): string => random.pick(terms).replaceAll('_', ' ')
  return random.pick([
    `The ${subject}.`,
    `The ${subject} of the ${other()}`,
    `Set when the ${other()} changes: see ${other()}, "${random.pick(NOUNS)}"`,
    `How the ${subject} is told from the ${other()}. Empty where there is no ${other()}; filled by the ${other()}.`,
    `${random.pick(MODIFIERS)}, ${random.pick(MODIFIERS)} or ${random.pick(MODIFIERS)}`,
    `Copied from the ${other()}\nby the nightly ${random.pick(NOUNS)} run`,
    `${random.integer(0, 9)}: ${other()}, ${random.integer(10, 19)}: ${other()}`,
  ])
}
